import type { OperationId } from '@rubrica/contracts';
import { createActiveTerms } from '../active-terms/active-terms.ts';
import { createCancelRequest } from '../cancel-request/cancel-request.ts';
import { createCorrectRegular } from '../correct-regular/correct-regular.ts';
import { createIssueToken, type IssueTokenDeps } from '../issue-token/issue-token.ts';
import { createReferenceLists } from '../reference/reference-lists.ts';
import { createRegisterLinkedPartner } from '../register-linked-partner/register-linked-partner.ts';
import { createRegisterRegular } from '../register-regular/register-regular.ts';
import { createRequestStatus } from '../request-status/request-status.ts';
import { createResendValidationLink } from '../resend-validation-link/resend-validation-link.ts';
import { createRetryLinkedPartner } from '../retry-linked-partner/retry-linked-partner.ts';
import { createRevokeCertificate } from '../revoke-certificate/revoke-certificate.ts';
import type { Handler, RestDeps } from './deps.ts';

/** One use case for each row of the contracts' table; a row without one does not compile. */
export function createHandlers(deps: RestDeps & IssueTokenDeps) {
  return {
    registerLinkedPartner: createRegisterLinkedPartner(deps),
    retryLinkedPartner: createRetryLinkedPartner(deps),
    cancelLinkedPartner: createCancelRequest(deps, { operation: 'cancelLinkedPartner', family: 'TV' }),
    resendValidationLink: createResendValidationLink(deps),
    linkedPartnerStatus: createRequestStatus(deps, 'TV'),
    registerRegular: createRegisterRegular(deps),
    correctRegular: createCorrectRegular(deps),
    regularStatus: createRequestStatus(deps, 'FR'),
    revokeCertificate: createRevokeCertificate(deps),
    activeTerms: createActiveTerms(deps),
    ...createReferenceLists(),
    token: createIssueToken(deps),
  } satisfies Record<OperationId, Handler>;
}
