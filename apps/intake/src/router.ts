import { auditRouter } from '@rubrica/wiring/audit';
import { auditLog } from './audit-log.ts';
import { claimRequestProcedure } from './claim/claim-request.procedure.ts';
import { openDownloadProcedure } from './claim/open-download.procedure.ts';
import { resendLinkProcedure } from './claim/resend-link.procedure.ts';
import { sendClaimCodeProcedure } from './claim/send-claim-code.procedure.ts';
import { viewClaimProcedure } from './claim/view-claim.procedure.ts';
import { router } from './context.ts';
import { getEventProcedure } from './delivery/get-event.procedure.ts';
import { getMessageProcedure } from './delivery/get-message.procedure.ts';
import { partnerSigningProcedure } from './delivery/partner-signing.procedure.ts';
import { issuanceOrderProcedure } from './issuance/issuance-order.procedure.ts';
import { openRetrievalProcedure } from './issuance/open-retrieval.procedure.ts';
import { revokeCertificateProcedure } from './issuance/revoke-certificate.procedure.ts';
import { authenticateOperatorProcedure } from './operators/authenticate-operator.procedure.ts';
import { cancelByOperatorProcedure, rerunRequestProcedure } from './operators/change-request.ts';
import { getRequestProcedure, requestTimelineProcedure } from './operators/get-request.ts';
import { overviewProcedure } from './operators/overview.ts';
import { searchRequestsProcedure } from './operators/search-requests.ts';
import { authenticateClientProcedure } from './partners/authenticate-client.procedure.ts';
import {
  createPartnerProcedure,
  getPartnerProcedure,
  issueTokenProcedure,
  listPartnersProcedure,
  revokeTokenProcedure,
  rotateSecretProcedure,
  updatePartnerProcedure,
} from './partners/manage-partners.procedures.ts';
import { partnerContactProcedure } from './partners/partner-contact.procedure.ts';
import { resolveTokenProcedure } from './partners/resolve-token.procedure.ts';
import { cancelRequestProcedure } from './registration/cancel-request.procedure.ts';
import { correctRequestProcedure } from './registration/correct-request.procedure.ts';
import { registerRequestProcedure } from './registration/register-request.procedure.ts';
import { retryRequestProcedure } from './registration/retry-request.procedure.ts';
import { requestStatusProcedure } from './request/status/request-status.procedure.ts';
import { eraseRequestsProcedure } from './retention/erase-requests.ts';
import { holdRequestProcedure, unholdRequestProcedure } from './retention/hold-request.ts';
import { holdingsProcedure } from './retention/holdings.ts';
import { approveReviewProcedure } from './review/approve-review.ts';
import { assignReviewProcedure } from './review/assign-review.ts';
import { getReviewProcedure } from './review/get-review.procedure.ts';
import { linkEvidenceProcedure } from './review/link-evidence.ts';
import { openEvidenceProcedure } from './review/open-evidence-link.ts';
import { rejectReviewProcedure, requestCorrectionProcedure } from './review/refuse-review.ts';
import { reviewQueueProcedure } from './review/review-queue.procedure.ts';
import {
  checkLivenessProcedure,
  completeLivenessProcedure,
  issueProcedure,
  livenessPageProcedure,
  requestLivenessProcedure,
  validateIdentityProcedure,
} from './signature/api-flow.procedures.ts';
import { validationResultsProcedure } from './validation/validation-results.procedure.ts';

/** For other services. */
export const serviceRouter = router({
  requests: router({
    register: registerRequestProcedure,
    correct: correctRequestProcedure,
    retry: retryRequestProcedure,
    cancel: cancelRequestProcedure,
    resendLink: resendLinkProcedure,
    status: requestStatusProcedure,
    validationResults: validationResultsProcedure,
    openRetrieval: openRetrievalProcedure,
  }),
  signature: router({
    validateIdentity: validateIdentityProcedure,
    requestLiveness: requestLivenessProcedure,
    checkLiveness: checkLivenessProcedure,
    issue: issueProcedure,
    livenessPage: livenessPageProcedure,
    completeLiveness: completeLivenessProcedure,
  }),
  certificates: router({ revoke: revokeCertificateProcedure }),
  partners: router({
    authenticateClient: authenticateClientProcedure,
    resolveToken: resolveTokenProcedure,
    contact: partnerContactProcedure,
    signing: partnerSigningProcedure,
  }),
  operators: router({ authenticate: authenticateOperatorProcedure }),
  issuance: router({ order: issuanceOrderProcedure }),
  events: router({ get: getEventProcedure }),
  messages: router({ get: getMessageProcedure }),
  reviews: router({ openEvidence: openEvidenceProcedure }),
  claims: router({
    view: viewClaimProcedure,
    sendCode: sendClaimCodeProcedure,
    claim: claimRequestProcedure,
    openDownload: openDownloadProcedure,
  }),
});

/** For people, through the gateway. */
export const operatorRouter = router({
  requests: router({
    search: searchRequestsProcedure,
    get: getRequestProcedure,
    timeline: requestTimelineProcedure,
    rerun: rerunRequestProcedure,
    cancel: cancelByOperatorProcedure,
    hold: holdRequestProcedure,
    unhold: unholdRequestProcedure,
    holdings: holdingsProcedure,
    erase: eraseRequestsProcedure,
  }),
  reviews: router({
    queue: reviewQueueProcedure,
    get: getReviewProcedure,
    assign: assignReviewProcedure,
    approve: approveReviewProcedure,
    reject: rejectReviewProcedure,
    requestCorrection: requestCorrectionProcedure,
    evidence: linkEvidenceProcedure,
  }),
  partners: router({
    list: listPartnersProcedure,
    get: getPartnerProcedure,
    create: createPartnerProcedure,
    update: updatePartnerProcedure,
    rotateSecret: rotateSecretProcedure,
    issueToken: issueTokenProcedure,
    revokeToken: revokeTokenProcedure,
  }),
  audit: auditRouter(auditLog),
  overview: overviewProcedure,
});
