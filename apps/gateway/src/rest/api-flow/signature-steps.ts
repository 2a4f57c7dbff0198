import type { RestDeps } from '../deps.ts';
import { createCheckLiveness } from './check-liveness.ts';
import { createIssueSignature, type IssueDeps } from './issue-signature.ts';
import { createRequestLiveness } from './request-liveness.ts';
import { createValidateIdentity } from './validate-identity.ts';

export type SignatureDeps = Pick<IssueDeps, 'signals'>;

/** What a partner calls one after the other once a signature was asked for. */
export function createSignatureSteps(deps: RestDeps & SignatureDeps) {
  return {
    validateIdentity: createValidateIdentity(deps),
    requestLiveness: createRequestLiveness(deps),
    checkLiveness: createCheckLiveness(deps),
    issueSignature: createIssueSignature(deps),
  };
}
