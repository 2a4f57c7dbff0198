import { recordAudit } from '@rubrica/database';
import { type Implemented, implement } from '@rubrica/wiring';
import { createAuditUseCases, readingEntry } from '@rubrica/wiring/audit';
import { translateDatabaseFault } from '@rubrica/wiring/database';
import { auditLog } from './audit-log.ts';
import { createCheckCode } from './claim/check-code.ts';
import { createClaimLinks } from './claim/claim-links.ts';
import { createClaimLogo } from './claim/claim-logo.ts';
import { createClaimRequest } from './claim/claim-request.ts';
import { createDeadLink } from './claim/dead-link.ts';
import { remindOfRequest } from './claim/end-reminders/remind-subscribers.ts';
import { createOpenDownload } from './claim/open-download.ts';
import { createOwnData } from './claim/own-data.ts';
import { createRenewLink } from './claim/renew-link.ts';
import { createReportClaim } from './claim/report-claim.ts';
import { createResendLink } from './claim/resend-link.ts';
import { createRevokeOwn } from './claim/revocation/revoke-own.ts';
import { createSendRevocationCode } from './claim/revocation/send-revocation-code.ts';
import { createSendClaimCode } from './claim/send-claim-code.ts';
import { createViewClaim } from './claim/view-claim.ts';
import type { IntakeDeps } from './context.ts';
import { createEndEvents } from './delivery/end-events.ts';
import { createEventSigning } from './delivery/event-signing.ts';
import { createGetEvent } from './delivery/get-event.ts';
import { createGetMessage } from './delivery/get-message.ts';
import { createPartnerSigning } from './delivery/partner-signing.ts';
import { createReopenEvents } from './delivery/reopen-events.ts';
import { createIssuanceOrder } from './issuance/issuance-order.ts';
import { createOpenRetrieval } from './issuance/open-retrieval.ts';
import { createRevokeCertificate } from './issuance/revoke-certificate.ts';
import { createGetOperator } from './operators/accounts/get-operator.ts';
import { createListOperators } from './operators/accounts/list-operators.ts';
import { createAdministratorUseCases } from './operators/administrator-use-cases.ts';
import { createAdministratorsStanding } from './operators/administrators.ts';
import { createCancelByOperator, createRerunRequest } from './operators/change-request.ts';
import { createEnrolTotp } from './operators/factors/enrol-totp.ts';
import { createRemoveFactor } from './operators/factors/remove-factor.ts';
import { createGetRequest } from './operators/get-request.ts';
import { createAcceptInvitation } from './operators/invitations/accept-invitation.ts';
import { createReadInvitation } from './operators/invitations/read-invitation.ts';
import { createFinishOpenId } from './operators/openid/finish-openid.ts';
import { createStartOpenId } from './operators/openid/start-openid.ts';
import { createOverview } from './operators/overview.ts';
import {
  createConfirmApproval,
  createPasskeyOptionsOfApproval,
} from './operators/passkeys/confirm-approval.ts';
import { createEnrolPasskey } from './operators/passkeys/enrol-passkey.ts';
import { createPasskeyOptions, createPasskeySignIn } from './operators/passkeys/passkey-sign-in.ts';
import { createReportServiceLevels } from './operators/reports/report-service-levels.ts';
import { createReportUsage } from './operators/reports/report-usage.ts';
import { createPartnersUsage, createRequestsUsage } from './operators/reports/usage-of-partner.ts';
import { createRequestTimeline } from './operators/request-timeline.ts';
import { createSearchRequests } from './operators/search-requests.ts';
import { createChangePassword } from './operators/sessions/change-password.ts';
import { createEndSession, createOwnSessions, createSignOut } from './operators/sessions/own-sessions.ts';
import { createRefreshSession } from './operators/sessions/refresh-session.ts';
import { createSignIn } from './operators/sign-in.ts';
import { createExchangeToken } from './partners/access/exchange-token.ts';
import { createIssueAccessToken } from './partners/access/issue-access-token.ts';
import { createIssueByAssertion } from './partners/access/issue-by-assertion.ts';
import { createTokenForCall } from './partners/access/token-for-call.ts';
import { createGetPartner } from './partners/get-partner.ts';
import { createListPartners } from './partners/list-partners.ts';
import { createGetLogo } from './partners/logo/get-logo.ts';
import { createPartnerContact } from './partners/partner-contact.ts';
import { createCancelRequest } from './registration/cancel-request.ts';
import { createCorrectRequest } from './registration/correct-request.ts';
import { createDryRun } from './registration/dry-run.ts';
import { createRenewalLinks } from './registration/own-renewal/find-renewal.ts';
import { createRenewBySubscriber } from './registration/own-renewal/renew-by-subscriber.ts';
import { createRenewalContact } from './registration/own-renewal/renewal-contact.ts';
import { createSendRenewalCode, createViewRenewal } from './registration/own-renewal/view-renewal.ts';
import { createRegisterRequest } from './registration/register-request.ts';
import { createRenewCertificate, createRenewDryRun } from './registration/renewal/renew-certificate.ts';
import { createRetryRequest } from './registration/retry-request.ts';
import { createIdentifyRequest } from './request/identify-request.ts';
import { createListRequests } from './request/list/list-requests.ts';
import { createNameRequests } from './request/list/name-requests.ts';
import { createRequestStatus } from './request/status/request-status.ts';
import { createAdvanceClock } from './retention/advance-clock.ts';
import { createHoldings } from './retention/holdings.ts';
import { createApproveReview } from './review/approve-review.ts';
import { createAssignReview } from './review/assign-review.ts';
import { createGetReview } from './review/get-review.ts';
import { createLinkEvidence } from './review/link-evidence.ts';
import { createOpenEvidenceLink } from './review/open-evidence-link.ts';
import { createLeaveReview, createOpenReview } from './review/presence.ts';
import { createRejectReview, createRequestCorrection } from './review/refuse-review.ts';
import { createReviewQueue } from './review/review-queue.ts';
import { telling } from './review/review-signals.ts';
import { createCheckLiveness } from './signature/check-liveness.ts';
import { createIssue } from './signature/issue.ts';
import { createCompleteLiveness, createLivenessPage } from './signature/liveness-page.ts';
import { createRequestLiveness } from './signature/request-liveness.ts';
import { createValidateIdentity } from './signature/validate-identity.ts';
import { deadlineTasks } from './sweeper-tasks.ts';
import { createValidationResults } from './validation/validation-results.ts';

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
