import type { OperationId } from '@rubrica/contracts/rest/operations';
import { createActiveTerms } from '../active-terms/active-terms.ts';
import { createSignatureSteps, type SignatureDeps } from '../api-flow/signature-steps.ts';
import { createCancelRequest } from '../cancel-request/cancel-request.ts';
import { createCorrectRegular } from '../correct-regular/correct-regular.ts';
import { createIssueToken, type IssueTokenDeps } from '../issue-token/issue-token.ts';
import { createReferenceLists } from '../reference/reference-lists.ts';
import { createRegisterLinkedPartner } from '../register-linked-partner/register-linked-partner.ts';
import { createRegisterRegular } from '../register-regular/register-regular.ts';
import { simplified, stepwise, transactional } from '../register-request/plain-families.ts';
import { createRegisterRequest } from '../register-request/register-request.ts';
import { createRequestStatus } from '../request-status/request-status.ts';
import { createResendValidationLink } from '../resend-validation-link/resend-validation-link.ts';
import { createRetrieveCertificate } from '../retrieve-certificate/retrieve-certificate.ts';
import { createRetryLinkedPartner } from '../retry-linked-partner/retry-linked-partner.ts';
import { createRevokeCertificate } from '../revoke-certificate/revoke-certificate.ts';
import { createValidationStatus } from '../validation-status/validation-status.ts';
import type { Handler, RestDeps } from './deps.ts';

/** One use case for each row of the contracts' table; a row without one does not compile. */
export function createHandlers(deps: RestDeps & IssueTokenDeps & SignatureDeps) {
  return {
    registerLinkedPartner: createRegisterLinkedPartner(deps),
    retryLinkedPartner: createRetryLinkedPartner(deps),
    cancelLinkedPartner: createCancelRequest(deps, { operation: 'cancelLinkedPartner', family: 'TV' }),
    resendValidationLink: createResendValidationLink(deps),
    linkedPartnerStatus: createRequestStatus(deps, 'TV'),
    registerRegular: createRegisterRegular(deps),
    correctRegular: createCorrectRegular(deps),
    regularStatus: createRequestStatus(deps, 'FR'),
    registerTransactional: createRegisterRequest(deps, transactional),
    transactionalValidationStatus: createValidationStatus(deps),
    transactionalCertificate: createRetrieveCertificate(deps),
    registerSimplified: createRegisterRequest(deps, simplified),
    simplifiedStatus: createRequestStatus(deps, 'FS'),
    cancelSimplified: createCancelRequest(deps, { operation: 'cancelSimplified', family: 'FS' }),
    requestSignature: createRegisterRequest(deps, stepwise),
    ...createSignatureSteps(deps),
    signatureRequestStatus: createRequestStatus(deps, 'API'),
    revokeCertificate: createRevokeCertificate(deps),
    activeTerms: createActiveTerms(deps),
    ...createReferenceLists(),
    token: createIssueToken(deps),
  } satisfies Record<OperationId, Handler>;
}
