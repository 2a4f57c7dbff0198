import { regularFileNames, regularFiles, regularShape } from '@rubrica/contracts/rest/regular';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { formatTimestamp, uuidv7 } from '@rubrica/process/time';
import { createOperationBodyPlan, fileLimits, type SealedBody } from '../../body/body.ts';

import { requirePartner } from '../../context.ts';
import { parseFields } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import { setQuotaHeaders } from '../../http/quota-headers.ts';
import type { RestDeps } from '../deps.ts';
import { withBundle } from '../evidence/bundle-files.ts';
import { type CheckedFiles, checkNamedFiles } from '../evidence/check-named-files.ts';
import { answerDryRun, planBody, readDryRun } from '../requests/dry-run.ts';

/**
 * Registers a regular request. Intake's rules determine missing files. The request's id is created here, before any
 * upload, so that a call with an unknown outcome may be repeated.
 */
export function createRegisterRegular(
  deps: Pick<RestDeps, 'peers' | 'readJsonBody' | 'bundleFiles' | 'limits' | 'timeZone'>,
): Handler {
  const plan = createOperationBodyPlan('registerRegular', deps.limits, regularFileNames);
  const limits = fileLimits(deps.limits);
  return async (request, reply) => {
    const dryRun = readDryRun(request);
    const body = await deps.readJsonBody(request, planBody(plan, dryRun));
    const checked = checkNamedFiles(body, regularFiles, limits);
    const input = toInput(body, checked, dryRun.faults);
    const given = { operation: 'registerRegular', fields: body.fields } as const;
    if (dryRun.isDry) return answerDryRun(deps, { given, input: input }, { request, reply });
    const fullInput = await withBundle(input, { body, items: checked.items }, deps);
    const options = { for: requirePartner(request) };
    const registered = await deps.peers.intake['requests.register'](fullInput, options);
    setQuotaHeaders(reply, registered.quota);
    return {
      requestId: registered.requestId,
      referenceTransaction: registered.referenceTransaction,
      createdAt: formatTimestamp(new Date(registered.createdAt), deps.timeZone),
    };
  };
}

function toInput(
  body: SealedBody,
  { files, faults: fileFaults }: CheckedFiles,
  queryFaults: readonly ErrorDetail[],
): requestsContract.RegisterInput {
  const { values, faults: fieldFaults } = parseFields(regularShape, body.fields);
  return {
    requestId: uuidv7(),
    family: 'FR',
    fields: values as Record<string, string | boolean>,
    faults: [...queryFaults, ...fieldFaults, ...fileFaults],
    files,
  };
}
