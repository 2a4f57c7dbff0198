import type { RestDeps } from '../deps.ts';
import { createCheckLiveness } from './check-liveness.ts';
import { createIssueSignature, type IssueDeps } from './issue-signature.ts';
import { createRequestLiveness } from './request-liveness.ts';
import { createValidateIdentity } from './validate-identity.ts';

export type SignatureDeps = Pick<IssueDeps, 'signals'>;

/** Creates the steps that follow a signature request, in order. */
export function createSignatureSteps(deps: RestDeps & SignatureDeps) {
  return {
    validateIdentity: createValidateIdentity(deps),
    requestLiveness: createRequestLiveness(deps),
    checkLiveness: createCheckLiveness(deps),
    issueSignature: createIssueSignature(deps),
  };
}
