import { regularFileNames, regularFiles, regularShape } from '@rubrica/contracts/rest/regular';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import { formatTimestamp, uuidv7 } from '@rubrica/process';
import type { SealedBody } from '../../body/body.ts';
import { bodyPlan, fileLimits } from '../../body/body-plan.ts';
import { partnerOf } from '../../context.ts';
import { parseFields } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';
import { type CheckedFiles, checkNamedFiles } from '../evidence/check-named-files.ts';

/**
 * Registers a regular request. Intake says which files are missing: its rules know who needs which. The request's id is
 * made here, before anything is uploaded, so that the call may be repeated when its outcome is not known.
 */
export function createRegisterRegular(
  deps: Pick<RestDeps, 'peers' | 'readBody' | 'bundleFiles' | 'limits' | 'timeZone'>,
): Handler {
  const plan = bodyPlan('registerRegular', deps.limits, regularFileNames);
  const limits = fileLimits(deps.limits);
  return async (request) => {
    const body = await deps.readBody(request, plan);
    const files = checkNamedFiles(body, regularFiles, limits);
    const input = await toInput(body, files, deps);
    const options = { for: partnerOf(request) };
    const registered = await deps.peers.intake['requests.register'](input, options);
    return {
      requestId: registered.requestId,
      referenceTransaction: registered.referenceTransaction,
      createdAt: formatTimestamp(new Date(registered.createdAt), deps.timeZone),
    };
  };
}

async function toInput(
  body: SealedBody,
  { items, files, faults: ofFiles }: CheckedFiles,
  deps: Pick<RestDeps, 'bundleFiles'>,
): Promise<requestsContract.RegisterInput> {
  const requestId = uuidv7();
  const { values, faults: ofFields } = parseFields(regularShape, body.fields);
  const faults = [...ofFields, ...ofFiles];
  return {
    requestId,
    family: 'FR',
    fields: values as Record<string, string | boolean>,
    faults,
    files,
    // A faulty body is refused, so its files are not handed on; intake adds its own faults.
    ...(faults.length > 0 ? {} : { evidence: await deps.bundleFiles(requestId, { body, items }) }),
  };
}
