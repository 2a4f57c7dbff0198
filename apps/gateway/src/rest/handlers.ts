import type { OperationId } from '@rubrica/contracts/rest/operations';
import { createServerMetadata } from '../auth/server-metadata.ts';
import { createIssueToken, type IssueTokenDeps } from '../auth/token/issue-token.ts';
import type { Handler } from '../http/handler.ts';
import { createSignatureSteps, type SignatureDeps } from './api-flow/signature-steps.ts';
import { type BatchDeps, createRegisterBatch } from './batch/register-batch.ts';
import { createRenewCertificate } from './certificates/renew-certificate.ts';
import { createRetrieveCertificate } from './certificates/retrieve-certificate.ts';
import { createRevokeCertificate } from './certificates/revoke-certificate.ts';
import type { RestDeps } from './deps.ts';
import { createRegisterLinkedPartner } from './linked-partner/register-linked-partner.ts';
import { createResendValidationLink } from './linked-partner/resend-validation-link.ts';
import { createRetryLinkedPartner } from './linked-partner/retry-linked-partner.ts';
import { createListEvents, createReadEvent, createResendEvent } from './lists/events.ts';
import { createListCertificates } from './lists/list-certificates.ts';
import { createListRequests } from './lists/list-requests.ts';
import { createRecoverEvents } from './lists/recover-events.ts';
import { createTestEvent } from './lists/test-event.ts';
import { createActiveTerms } from './reference/active-terms.ts';
import { createReferenceLists } from './reference/reference-lists.ts';
import { createCorrectRegular } from './regular/correct-regular.ts';
import { createRegisterRegular } from './regular/register-regular.ts';
import { createCancelRequest } from './requests/cancel-request.ts';
import { isApiFlow, simplified, transactional } from './requests/plain-families.ts';
import { createRegisterRequest } from './requests/register-request.ts';
import { createRequestStatus } from './requests/request-status.ts';
import { createUsage } from './requests/usage.ts';
import { createValidationStatus } from './requests/validation-status.ts';

/** Creates one use case per row of the contracts' table; a row without one does not compile. */
export function createHandlers(
  deps: RestDeps & IssueTokenDeps & SignatureDeps & BatchDeps & { readonly issuer: string },
) {
  const registerLinkedPartner = createRegisterLinkedPartner(deps);
  const registerRegular = createRegisterRegular(deps);
  const registerTransactional = createRegisterRequest(deps, transactional);
  const registerSimplified = createRegisterRequest(deps, simplified);
  const renewCertificate = createRenewCertificate(deps);
  return {
    registerLinkedPartner,
    registerLinkedPartnerDryRun: registerLinkedPartner,
    registerRegularDryRun: registerRegular,
    registerTransactionalDryRun: registerTransactional,
    registerSimplifiedDryRun: registerSimplified,
    renewCertificateDryRun: renewCertificate,
    registerLinkedPartnerBatch: createRegisterBatch(deps),
    retryLinkedPartner: createRetryLinkedPartner(deps),
    cancelLinkedPartner: createCancelRequest(deps, { operation: 'cancelLinkedPartner', family: 'TV' }),
    resendValidationLink: createResendValidationLink(deps),
    linkedPartnerStatus: createRequestStatus(deps, 'TV'),
    registerRegular,
    correctRegular: createCorrectRegular(deps),
    regularStatus: createRequestStatus(deps, 'FR'),
    registerTransactional,
    transactionalValidationStatus: createValidationStatus(deps),
    transactionalCertificate: createRetrieveCertificate(deps),
    registerSimplified,
    simplifiedStatus: createRequestStatus(deps, 'FS'),
    cancelSimplified: createCancelRequest(deps, { operation: 'cancelSimplified', family: 'FS' }),
    requestSignature: createRegisterRequest(deps, isApiFlow),
    ...createSignatureSteps(deps),
    signatureRequestStatus: createRequestStatus(deps, 'API'),
    revokeCertificate: createRevokeCertificate(deps),
    renewCertificate,
    listRequests: createListRequests(deps),
    listCertificates: createListCertificates(deps),
    listEvents: createListEvents(deps),
    readEvent: createReadEvent(deps),
    resendEvent: createResendEvent(deps),
    recoverEvents: createRecoverEvents(deps),
    testEvent: createTestEvent(deps),
    usage: createUsage(deps),
    activeTerms: createActiveTerms(deps),
    ...createReferenceLists(),
    token: createIssueToken(deps),
    serverMetadata: createServerMetadata(deps),
  } satisfies Record<OperationId, Handler>;
}
