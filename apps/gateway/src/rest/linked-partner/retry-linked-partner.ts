import { correctionShape } from '@rubrica/contracts/rest/linked-partner';
import * as field from '@rubrica/contracts/shared/fields';
import { formatLocalDateTime, uuidv7 } from '@rubrica/process';
import { bodyPlan, fileLimits } from '../../body/body-plan.ts';
import { partnerOf } from '../../context.ts';
import { identifierOf } from '../../fields/identifier.ts';
import { parseFields } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';
import { checkEvidences, evidenceFilePlace } from '../evidence/check-evidences.ts';

const secretShape = { password: field.password.optional() } as const;

/** Runs the failed step of a request again, with corrections if any. Not repeated after a time-out: each call counts. */
export function createRetryLinkedPartner(deps: RestDeps): Handler {
  const plan = bodyPlan('retryLinkedPartner', deps.limits, [evidenceFilePlace]);
  const identifier = identifierOf('TV');
  const files = fileLimits(deps.limits);
  return async (request) => {
    const body = await deps.readBody(request.raw, plan);
    const evidences = checkEvidences(body, files);
    const corrected = parseFields(correctionShape, body.fields);
    const secret = parseFields(secretShape, body.fields);
    const { reference, faults } = identifier.fromBody(body.fields, {
      shape: {},
      faults: [...corrected.faults, ...(evidences?.faults ?? []), ...secret.faults],
    });
    const { password } = secret.values;
    const retried = await deps.peers.intake['requests.retry'](
      {
        ...reference,
        corrections: corrected.values as Record<string, string>,
        faults,
        ...(password === undefined ? {} : { sealedPassword: await deps.sealPassword(password) }),
        ...(evidences === undefined || faults.length > 0
          ? {}
          : { evidence: await deps.bundleFiles(uuidv7(), { body, ...evidences }) }),
      },
      { for: partnerOf(request) },
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
