import type { WingHandlers } from '../base/wing-handlers.ts';
import { createCheckCode } from './claim/check-code.ts';
import { createClaimLogo } from './claim/claim-logo.ts';
import { createClaimRequest } from './claim/claim-request.ts';
import { createDeadLink } from './claim/dead-link.ts';
import { createClaimLinkStore } from './claim/find-claim.ts';
import { createOpenDownload } from './claim/open-download.ts';
import { createOwnData } from './claim/own-data.ts';
import { createRenewLink } from './claim/renew-link.ts';
import { createReportClaim } from './claim/report-claim.ts';
import { createResendLink } from './claim/resend-link.ts';
import { createRevokeOwn } from './claim/revocation/revoke-own.ts';
import { createSendRevocationCode } from './claim/revocation/send-revocation-code.ts';
import { createSendClaimCode } from './claim/send-claim-code.ts';
import { createViewClaim } from './claim/view-claim.ts';
import { createEndEvents } from './delivery/end-events.ts';
import { createEventSigning } from './delivery/event-signing.ts';
import { createGetEvent } from './delivery/get-event.ts';
import { createGetMessage } from './delivery/get-message.ts';
import { createPartnerSigning } from './delivery/partner-signing.ts';
import { createReopenEvents } from './delivery/reopen-events.ts';
import type { RequestsDeps } from './deps.ts';
import type { EvidenceDeps } from './evidence/open-evidence.ts';
import type { FileCheckerDeps } from './file-checks/file-checker.ts';
import { createIssuanceOrder } from './issuance/issuance-order.ts';
import { createOpenRetrieval } from './issuance/open-retrieval.ts';
import { createRevokeCertificate } from './issuance/revoke-certificate.ts';
import { createCancelRequest } from './registration/cancel-request.ts';
import { createCorrectRequest } from './registration/correct-request.ts';
import type { IssuerEndDeps } from './registration/issuer-end.ts';
import { createDryRun, createRegisterRequest } from './registration/register-request.ts';
import { createRetryRequest } from './registration/retry-request.ts';
import { createRenewBySubscriber } from './renewal/renew-by-subscriber.ts';
import { createRenewCertificate, createRenewDryRun } from './renewal/renew-certificate.ts';
import { createRenewalLinkStore } from './renewal/renewal-link.ts';
import { createSendRenewalCode } from './renewal/send-renewal-code.ts';
import { createRenewalContact, createViewRenewal } from './renewal/view-renewal.ts';
import { createIdentifyRequest } from './request/identify-request.ts';
import { createListRequests } from './request/list/list-requests.ts';
import { createNameRequests } from './request/list/name-requests.ts';
import type { ReviewSignalDeps } from './request/review-signals.ts';
import { createRequestStatus } from './request/status/request-status.ts';
import { createAdvanceClock } from './retention/advance-clock.ts';
import { createLegalHold, createReleaseLegalHold } from './retention/change-legal-hold.ts';
import { createEraseRequests } from './retention/erase-requests.ts';
import { createHoldings } from './retention/holdings.ts';
import { createCheckLiveness } from './signature/check-liveness.ts';
import { createIssue } from './signature/issue.ts';
import { createCompleteLiveness, createLivenessPage } from './signature/liveness-page.ts';
import { createRequestLiveness } from './signature/request-liveness.ts';
import { createValidateIdentity } from './signature/validate-identity.ts';
import type { ValidationQueueDeps } from './validation/local-validation-queue.ts';
import { createValidationResults } from './validation/validation-results.ts';

export type RequestsHandlerDeps = RequestsDeps &
  EvidenceDeps &
  FileCheckerDeps &
  IssuerEndDeps &
  ReviewSignalDeps &
  ValidationQueueDeps;

/** Creates the handlers of calls about requests, from registration to retention. */
export function createRequestsHandlers(deps: RequestsHandlerDeps) {
  const claims = { ...deps, links: createClaimLinkStore(deps.rows) };
  const renewals = { ...deps, links: createRenewalLinkStore(deps.rows) };
  return {
    calls: {
      'requests.identify': createIdentifyRequest(deps),
      'requests.dryRun': createDryRun(deps),
      'sandbox.advance': createAdvanceClock(deps),
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
      'partners.signing': createPartnerSigning(deps),
      'issuance.order': createIssuanceOrder(deps),
      'events.get': createGetEvent(deps),
      'events.signing': createEventSigning(deps),
      'events.reopen': createReopenEvents(deps),
      'events.end': createEndEvents(deps),
      'messages.get': createGetMessage(deps),
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
      'requests.holdings': createHoldings(deps),
    },
    changes: {
      'requests.legalHold': createLegalHold(deps),
      'requests.releaseLegalHold': createReleaseLegalHold(deps),
      'requests.erase': createEraseRequests(deps),
    },
  } satisfies WingHandlers;
}
