import { identityFiles, identityValidationShape } from '@rubrica/contracts/rest/api-flow';
import type * as apiFlowContract from '@rubrica/contracts/services/schemas/api-flow';
import { uuidv7 } from '@rubrica/process/time';
import { createOperationBodyPlan, fileLimits, type SealedBody } from '../../body/body.ts';

import { requirePartner } from '../../context.ts';
import { assertFaultless } from '../../fields/assert-faultless.ts';
import { parseFields } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';
import { checkNamedFiles } from '../evidence/check-named-files.ts';
import { signatureIdentifier } from './signature-identifier.ts';

type Deps = Pick<RestDeps, 'peers' | 'readJsonBody' | 'bundleFiles' | 'limits'>;

/**
 * Submits the identity document and the selfie. The call has its own id, so that one with an unknown outcome may be
 * repeated without using another attempt.
 */
export function createValidateIdentity(deps: Deps): Handler {
  const plan = createOperationBodyPlan('validateIdentity', deps.limits, Object.keys(identityFiles));
  return async (request) => {
    const body = await deps.readJsonBody(request, plan);
    const input = await toInput(body, deps);
    const options = { for: requirePartner(request) };
    const { requestId, ...validated } = await deps.peers.intake['signature.validateIdentity'](input, options);
    return { ...signatureIdentifier.answer(requestId), ...validated };
  };
}

async function toInput(body: SealedBody, deps: Deps): Promise<apiFlowContract.ValidateIdentityInput> {
  const named = checkNamedFiles(body, identityFiles, fileLimits(deps.limits));
  const { values, faults: fieldFaults } = parseFields(identityValidationShape, body.fields);
  const faults = [...fieldFaults, ...named.faults];
  const { signatureRequestId: requestId, isIdentityCertificate } = values;
  // Without the id, intake cannot add its own faults.
  if (requestId === undefined) {
    assertFaultless(faults);
    throw new Error('a missing signatureRequestId is a fault');
  }
  const callId = uuidv7();
  return {
    requestId,
    callId,
    faults,
    files: [...named.files],
    ...(isIdentityCertificate === undefined ? {} : { isIdentityCertificate }),
    ...(faults.length > 0
      ? {}
      : { evidence: await deps.bundleFiles(requestId, { body, items: named.items }) }),
  };
}
