import { auditRouter } from '@rubrica/wiring/audit';
import {
  checkLivenessProcedure,
  completeLivenessProcedure,
  issueProcedure,
  livenessPageProcedure,
  requestLivenessProcedure,
  validateIdentityProcedure,
} from './api-flow/api-flow.procedures.ts';
import { auditLog } from './audit/audit-log.ts';
import { cancelRequestProcedure } from './cancel-request/cancel-request.procedure.ts';
import { claimRequestProcedure } from './claim-request/claim-request.procedure.ts';
import { router } from './context.ts';
import { correctRequestProcedure } from './correct-request/correct-request.procedure.ts';
import { issuanceOrderProcedure } from './issuance/issuance-order.procedure.ts';
import { getMessageProcedure } from './mail/get-message.procedure.ts';
import { openDownloadProcedure } from './open-download/open-download.procedure.ts';
import { openRetrievalProcedure } from './open-retrieval/open-retrieval.procedure.ts';
import { authenticateOperatorProcedure } from './operators/authenticate-operator.procedure.ts';
import { cancelByOperatorProcedure, rerunRequestProcedure } from './operators/change-request.ts';
import { getRequestProcedure, requestTimelineProcedure } from './operators/get-request.ts';
import { overviewProcedure } from './operators/overview.ts';
import { searchRequestsProcedure } from './operators/search-requests.ts';
import { authenticateClientProcedure } from './partner/authenticate-client.procedure.ts';
import {
  createPartnerProcedure,
  getPartnerProcedure,
  issueTokenProcedure,
  listPartnersProcedure,
  revokeTokenProcedure,
  rotateSecretProcedure,
  updatePartnerProcedure,
} from './partner/manage-partners.procedures.ts';
import { partnerContactProcedure } from './partner/partner-contact.procedure.ts';
import { resolveTokenProcedure } from './partner/resolve-token.procedure.ts';
import { registerRequestProcedure } from './register-request/register-request.procedure.ts';
import { requestStatusProcedure } from './request-status/request-status.procedure.ts';
import { resendLinkProcedure } from './resend-link/resend-link.procedure.ts';
import { eraseRequestsProcedure } from './retention/erase-requests.ts';
import { holdRequestProcedure, unholdRequestProcedure } from './retention/hold-request.ts';
import { holdingsProcedure } from './retention/holdings.ts';
import { retryRequestProcedure } from './retry-request/retry-request.procedure.ts';
import { approveReviewProcedure } from './reviews/approve-review.ts';
import { assignReviewProcedure } from './reviews/assign-review.ts';
import { getReviewProcedure } from './reviews/get-review.procedure.ts';
import { linkEvidenceProcedure } from './reviews/link-evidence.ts';
import { openEvidenceProcedure } from './reviews/open-evidence-link.ts';
import { rejectReviewProcedure, requestCorrectionProcedure } from './reviews/refuse-review.ts';
import { reviewQueueProcedure } from './reviews/review-queue.procedure.ts';
import { revokeCertificateProcedure } from './revoke-certificate/revoke-certificate.procedure.ts';
import { sendClaimCodeProcedure } from './send-claim-code/send-claim-code.procedure.ts';
import { validationResultsProcedure } from './validation-results/validation-results.procedure.ts';
import { viewClaimProcedure } from './view-claim/view-claim.procedure.ts';
import { getEventProcedure } from './webhook-events/get-event.procedure.ts';
import { partnerSigningProcedure } from './webhook-events/partner-signing.procedure.ts';

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
