import { correctionShape } from '@rubrica/contracts/rest/linked-partner';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import * as field from '@rubrica/contracts/shared/fields';
import { formatLocalDateTime } from '@rubrica/process/time';
import type { z } from 'zod';
import { createOperationBodyPlan, fileLimits, type SealedBody } from '../../body/body.ts';

import { requirePartner } from '../../context.ts';
import { createIdentifier } from '../../fields/identifier.ts';
import { parseFields, parseTextFields } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import { type IdentifiedRequestId, identifyRequest } from '../../peers/identify-request.ts';
import type { RestDeps } from '../deps.ts';
import { type CheckedEvidences, checkEvidences, evidenceFilePath } from '../evidence/check-evidences.ts';

const secretShape = { password: field.password.optional() } as const;

/**
 * Retries the failed step of a request, with corrections if any. Not repeated after a timeout, because each call
 * counts.
 */
export function createRetryLinkedPartner(deps: RestDeps): Handler {
  const plan = createOperationBodyPlan('retryLinkedPartner', deps.limits, [evidenceFilePath]);
  const identifier = createIdentifier('TV');
  const files = fileLimits(deps.limits);
  return async (request) => {
    const body = await deps.readJsonBody(request, plan);
    const evidences = checkEvidences(body, files);
    const corrected = parseTextFields(correctionShape, body.fields);
    const secret = parseFields(secretShape, body.fields);
    const { reference, faults } = identifier.fromBody(body.fields, {
      shape: {},
      faults: [...corrected.faults, ...(evidences?.faults ?? []), ...secret.faults],
    });
    const options = { for: requirePartner(request) };
    // Intake refuses a faulty body, whatever it contains.
    const content = faults.length > 0 ? {} : { evidences, password: secret.values.password };
    const identify = () => identifyRequest(deps.peers, reference, options);
    const sealed = await seal(deps, { ...content, body, identify });
    const retried = await deps.peers.intake['requests.retry'](
      {
        ...reference,
        corrections: corrected.fields,
        faults,
        ...sealed,
      },
      options,
    );
    return {
      linkedPartnerRequestId: retried.requestId,
      referenceTransaction: retried.referenceTransaction,
      status: retried.status,
      retryCount: retried.retryCount,
      retriesRemaining: retried.retriesRemaining,
      updatedDate: formatLocalDateTime(new Date(retried.updatedAt), deps.timeZone),
    };
  };
}

interface RetryContent {
  readonly body: SealedBody;
  readonly password?: string | undefined;
  readonly evidences?: CheckedEvidences | undefined;
  identify(): Promise<IdentifiedRequestId>;
}

/** Seals the content of a retry for its request; a call without content need not look up the request. */
async function seal(
  deps: Pick<RestDeps, 'bundleFiles' | 'sealPassword'>,
  { body, password, evidences, identify }: RetryContent,
): Promise<Pick<z.input<typeof requestsContract.retryInput>, 'requestId' | 'sealedPassword' | 'evidence'>> {
  if (password === undefined && evidences === undefined) return {};
  const { requestId, isKnown } = await identify();
  if (!isKnown) return { requestId };
  return {
    requestId,
    ...(password === undefined ? {} : { sealedPassword: await deps.sealPassword(password, requestId) }),
    ...(evidences === undefined
      ? {}
      : { evidence: await deps.bundleFiles(requestId, { body, ...evidences }) }),
  };
}
