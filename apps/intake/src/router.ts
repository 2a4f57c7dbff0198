import { recordAudit } from '@rubrica/database';
import { type Implemented, implement } from '@rubrica/wiring';
import { createAuditUseCases, readingEntry } from '@rubrica/wiring/audit';
import { translateDatabaseFault } from '@rubrica/wiring/database';
import { createAdministratorsStanding } from './access/accounts/administrators.ts';
import { createGetOperator } from './access/accounts/get-operator.ts';
import { createListOperators } from './access/accounts/list-operators.ts';
import { createEndSession, createOwnSessions, createSignOut } from './access/accounts/own-sessions.ts';
import { createAdministratorUseCases } from './access/administrator-use-cases.ts';
import { createTokenForCall } from './access/callers/token-for-call.ts';
import { createEnrolTotp } from './access/factors/enrol-totp.ts';
import { createRemoveFactor } from './access/factors/remove-factor.ts';
import { createAcceptInvitation } from './access/invitations/accept-invitation.ts';
import { createReadInvitation } from './access/invitations/read-invitation.ts';
import { createFinishOpenId } from './access/openid/finish-openid.ts';
import { createStartOpenId } from './access/openid/start-openid.ts';
import { createGetPartner } from './access/partners/get-partner.ts';
import { createListPartners } from './access/partners/list-partners.ts';
import { createGetLogo } from './access/partners/logo/get-logo.ts';
import { createPartnerContact } from './access/partners/partner-contact.ts';
import { createExchangeToken } from './access/partners/tokens/exchange-token.ts';
import { createIssueAccessToken } from './access/partners/tokens/issue-access-token.ts';
import { createIssueByAssertion } from './access/partners/tokens/issue-by-assertion.ts';
import { createConfirmApproval, createPasskeyOptionsOfApproval } from './access/passkeys/confirm-approval.ts';
import { createEnrolPasskey } from './access/passkeys/enrol-passkey.ts';
import { createChangePassword } from './access/sessions/change-password.ts';
import { createRefreshSession } from './access/sessions/refresh-session.ts';
import { createPasskeyOptions, createPasskeySignIn } from './access/sign-in/passkey-sign-in.ts';
import { createSignIn } from './access/sign-in/sign-in.ts';
import { auditLog } from './base/audit-log.ts';
import type { IntakeDeps } from './context.ts';
import { createOverview } from './desk/overview/overview.ts';
import { createReportServiceLevels } from './desk/reports/report-service-levels.ts';
import { createReportUsage } from './desk/reports/report-usage.ts';
import { createPartnersUsage, createRequestsUsage } from './desk/reports/usage-of-partner.ts';
import { createApproveReview } from './desk/review/approve-review.ts';
import { createAssignReview } from './desk/review/assign-review.ts';
import { createGetReview } from './desk/review/get-review.ts';
import { createLinkEvidence } from './desk/review/link-evidence.ts';
import { createOpenEvidenceLink } from './desk/review/open-evidence-link.ts';
import { createLeaveReview, createOpenReview } from './desk/review/presence.ts';
import { createRejectReview, createRequestCorrection } from './desk/review/refuse-review.ts';
import { createReviewQueue } from './desk/review/review-queue.ts';
import { telling } from './desk/review/telling.ts';
import { createCancelByOperator, createRerunRequest } from './desk/search/change-request.ts';
import { createGetRequest } from './desk/search/get-request.ts';
import { createRequestTimeline } from './desk/search/request-timeline.ts';
import { createSearchRequests } from './desk/search/search-requests.ts';
import { createCheckCode } from './requests/claim/check-code.ts';
import { createClaimLinks } from './requests/claim/claim-links.ts';
import { createClaimLogo } from './requests/claim/claim-logo.ts';
import { createClaimRequest } from './requests/claim/claim-request.ts';
import { createDeadLink } from './requests/claim/dead-link.ts';
import { remindOfRequest } from './requests/claim/end-reminders/remind-subscribers.ts';
import { createOpenDownload } from './requests/claim/open-download.ts';
import { createOwnData } from './requests/claim/own-data.ts';
import { createRenewLink } from './requests/claim/renew-link.ts';
import { createReportClaim } from './requests/claim/report-claim.ts';
import { createResendLink } from './requests/claim/resend-link.ts';
import { createRevokeOwn } from './requests/claim/revocation/revoke-own.ts';
import { createSendRevocationCode } from './requests/claim/revocation/send-revocation-code.ts';
import { createSendClaimCode } from './requests/claim/send-claim-code.ts';
import { createViewClaim } from './requests/claim/view-claim.ts';
import { createEndEvents } from './requests/delivery/end-events.ts';
import { createEventSigning } from './requests/delivery/event-signing.ts';
import { createGetEvent } from './requests/delivery/get-event.ts';
import { createGetMessage } from './requests/delivery/get-message.ts';
import { createPartnerSigning } from './requests/delivery/partner-signing.ts';
import { createReopenEvents } from './requests/delivery/reopen-events.ts';
import { createIssuanceOrder } from './requests/issuance/issuance-order.ts';
import { createOpenRetrieval } from './requests/issuance/open-retrieval.ts';
import { createRevokeCertificate } from './requests/issuance/revoke-certificate.ts';
import { createCancelRequest } from './requests/registration/cancel-request.ts';
import { createCorrectRequest } from './requests/registration/correct-request.ts';
import { createDryRun } from './requests/registration/dry-run.ts';
import { createRenewalLinks } from './requests/registration/own-renewal/find-renewal.ts';
import { createRenewBySubscriber } from './requests/registration/own-renewal/renew-by-subscriber.ts';
import { createRenewalContact } from './requests/registration/own-renewal/renewal-contact.ts';
import {
  createSendRenewalCode,
  createViewRenewal,
} from './requests/registration/own-renewal/view-renewal.ts';
import { createRegisterRequest } from './requests/registration/register-request.ts';
import {
  createRenewCertificate,
  createRenewDryRun,
} from './requests/registration/renewal/renew-certificate.ts';
import { createRetryRequest } from './requests/registration/retry-request.ts';
import { createIdentifyRequest } from './requests/request/identify-request.ts';
import { createListRequests } from './requests/request/list/list-requests.ts';
import { createNameRequests } from './requests/request/list/name-requests.ts';
import { createRequestStatus } from './requests/request/status/request-status.ts';
import { createAdvanceClock } from './requests/retention/advance-clock.ts';
import { createHoldings } from './requests/retention/holdings.ts';
import { createCheckLiveness } from './requests/signature/check-liveness.ts';
import { createIssue } from './requests/signature/issue.ts';
import { createCompleteLiveness, createLivenessPage } from './requests/signature/liveness-page.ts';
import { createRequestLiveness } from './requests/signature/request-liveness.ts';
import { createValidateIdentity } from './requests/signature/validate-identity.ts';
import { createValidationResults } from './requests/validation/validation-results.ts';
import { deadlineTasks } from './sweeper-tasks.ts';

/** All that this service answers, each row of the calls tables with its use case. */
export function createRouters(deps: IntakeDeps): Implemented {
  const claims = { ...deps, links: createClaimLinks(deps.rows) };
  const renewals = { ...deps, links: createRenewalLinks(deps.rows) };
  return implement('intake', {
    calls: {
      'clock.read': () => ({ nowMs: deps.tokenClock().getTime() }),
      'administrators.standing': createAdministratorsStanding(deps),
      'administrators.passkeyOptions': createPasskeyOptionsOfApproval(deps),
      'administrators.confirmApproval': createConfirmApproval(deps),
      'requests.identify': createIdentifyRequest(deps),
      'requests.dryRun': createDryRun(deps),
      'requests.usage': createRequestsUsage(deps),
      'sandbox.advance': createAdvanceClock(deps, {
        remind: (requestId) => remindOfRequest(deps, requestId),
        tasks: deadlineTasks({ clock: deps.clock, retention: deps.rules.retention }),
      }),
      'requests.register': createRegisterRequest(deps),
      'requests.correct': createCorrectRequest(deps),
      'requests.retry': createRetryRequest(deps),
      'requests.cancel': createCancelRequest(deps),
      'requests.resendLink': createResendLink(deps),
      'requests.list': createListRequests(deps),
      'requests.name': createNameRequests(deps),
      'requests.status': createRequestStatus(deps),
      'requests.validationResults': createValidationResults(deps),
      'requests.openRetrieval': createOpenRetrieval(deps),
      'signature.validateIdentity': createValidateIdentity(deps),
      'signature.requestLiveness': createRequestLiveness(deps),
      'signature.checkLiveness': createCheckLiveness(deps),
      'signature.issue': createIssue(deps),
      'signature.livenessPage': createLivenessPage(deps),
      'signature.completeLiveness': createCompleteLiveness(deps),
      'certificates.renew': createRenewCertificate(deps),
      'certificates.renewDryRun': createRenewDryRun(deps),
      'certificates.revoke': createRevokeCertificate(deps),
      'tokens.issue': createIssueAccessToken(deps),
      'tokens.issueByAssertion': createIssueByAssertion(deps),
      'tokens.signIn': createSignIn(deps),
      'invitations.read': createReadInvitation(deps),
      'invitations.accept': createAcceptInvitation(deps),
      'tokens.passkeyOptions': createPasskeyOptions(deps),
      'tokens.passkeySignIn': createPasskeySignIn(deps),
      'tokens.refresh': createRefreshSession(deps),
      'tokens.startOpenId': createStartOpenId(deps),
      'tokens.finishOpenId': createFinishOpenId(deps),
      'tokens.exchange': createExchangeToken(deps),
      'tokens.forCall': createTokenForCall(deps),
      'partners.contact': createPartnerContact(deps),
      'partners.signing': createPartnerSigning(deps),
      'issuance.order': createIssuanceOrder(deps),
      'events.get': createGetEvent(deps),
      'events.signing': createEventSigning(deps),
      'events.reopen': createReopenEvents(deps),
      'events.end': createEndEvents(deps),
      'messages.get': createGetMessage(deps),
      'reviews.openEvidence': createOpenEvidenceLink(deps),
      'claims.view': createViewClaim(claims),
      'claims.ownData': createOwnData(claims),
      'claims.deadLink': createDeadLink(deps),
      'claims.logo': createClaimLogo(deps),
      'claims.renewLink': createRenewLink(deps),
      'claims.sendCode': createSendClaimCode(claims),
      'claims.checkCode': createCheckCode(claims),
      'claims.claim': createClaimRequest(claims),
      'claims.report': createReportClaim(claims),
      'revocations.sendCode': createSendRevocationCode(deps),
      'revocations.revoke': createRevokeOwn(deps),
      'claims.openDownload': createOpenDownload(claims),
      'renewals.view': createViewRenewal(deps),
      'renewals.contact': createRenewalContact(deps),
      'renewals.sendCode': createSendRenewalCode(deps),
      'renewals.ownData': createOwnData(renewals),
      'renewals.checkCode': createCheckCode(renewals),
      'renewals.renew': createRenewBySubscriber(deps),
      'renewals.openDownload': createOpenDownload(renewals),
    },
    operators: {
      'auth.sessions': createOwnSessions(deps),
      'auth.signOut': createSignOut(deps),
      'auth.endSession': createEndSession(deps),
      'auth.changePassword': createChangePassword(deps),
      'auth.enrolPasskey': createEnrolPasskey(deps),
      'auth.enrolTotp': createEnrolTotp(deps),
      'auth.removeFactor': createRemoveFactor(deps),
      'requests.search': createSearchRequests(deps),
      'requests.get': createGetRequest(deps),
      'requests.timeline': createRequestTimeline(deps),
      'requests.rerun': createRerunRequest(deps),
      'requests.cancel': createCancelByOperator(deps),
      'requests.holdings': createHoldings(deps),
      'reviews.queue': createReviewQueue(deps),
      'reviews.get': createGetReview(deps),
      'reviews.open': createOpenReview(deps),
      'reviews.leave': createLeaveReview(deps),
      'reviews.assign': telling(deps, 'assigned', createAssignReview(deps)),
      'reviews.approve': telling(deps, 'decided', createApproveReview(deps)),
      'reviews.reject': telling(deps, 'decided', createRejectReview(deps)),
      'reviews.requestCorrection': telling(deps, 'decided', createRequestCorrection(deps)),
      'reviews.evidence': createLinkEvidence(deps),
      'partners.list': createListPartners(deps),
      'partners.get': createGetPartner(deps),
      'partners.logo': createGetLogo(deps),
      'operators.list': createListOperators(deps),
      'operators.get': createGetOperator(deps),
      overview: createOverview(deps),
      'reports.usage': createReportUsage(deps),
      'partners.usage': createPartnersUsage(deps),
      'reports.serviceLevels': createReportServiceLevels(deps),
      ...createAdministratorUseCases(deps),
      ...createAuditUseCases(auditLog, deps),
    },
    noteReading: (reading) => recordAudit(deps.database, readingEntry(reading)),
    translate: translateDatabaseFault,
  });
}
