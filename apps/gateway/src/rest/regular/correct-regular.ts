import { createText } from '@rubrica/contracts/error-texts/create-text';
import {
  regularCorrectionShape,
  regularFileNames,
  regularFiles,
  regularShape,
} from '@rubrica/contracts/rest/regular';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { fieldFault } from '@rubrica/process/errors';
import { createOperationBodyPlan, fileLimits } from '../../body/body.ts';
import { requirePartner } from '../../context.ts';
import { createIdentifier } from '../../fields/identifier.ts';
import { normalizeValue, parseFields } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import { setLanguageHeaders } from '../../http/localize.ts';
import { identifyRequest } from '../../peers/identify-request.ts';
import type { RestDeps } from '../deps.ts';
import { checkNamedFiles } from '../evidence/check-named-files.ts';
import { toStatus } from '../requests/request-status.ts';

const { referenceTransaction: _names, callbackUrl: _addition, ...registered } = regularShape;
/**
 * Fields of a registration that can never be corrected. callbackUrl, an addition to the interface, is ignored like an
 * unknown field.
 */
const fixedNames = Object.keys(registered).filter((name) => !(name in regularCorrectionShape));

/**
 * Corrects a regular request in error, or retries its failed step. Not repeated after a timeout: if the first call
 * succeeded, the second would be a conflict.
 */
export function createCorrectRegular(
  deps: Pick<RestDeps, 'peers' | 'readJsonBody' | 'bundleFiles' | 'limits' | 'timeZone'>,
): Handler {
  const plan = createOperationBodyPlan('correctRegular', deps.limits, regularFileNames);
  const identifier = createIdentifier('FR');
  const limits = fileLimits(deps.limits);
  return async (request, reply) => {
    const body = await deps.readJsonBody(request, plan);
    const { items, files, faults: fileFaults } = checkNamedFiles(body, regularFiles, limits);
    const corrected = parseFields(regularCorrectionShape, body.fields);
    const { reference, faults } = identifier.fromBody(body.fields, {
      shape: {},
      faults: [...corrected.faults, ...findFixedFields(body.fields), ...fileFaults],
    });
    const isBundled = faults.length === 0 && items.length > 0;
    const options = { for: requirePartner(request) };
    const bundle = async () => {
      const { requestId, isKnown } = await identifyRequest(deps.peers, reference, options);
      if (!isKnown) return { requestId };
      return {
        requestId,
        evidence: await deps.bundleFiles(requestId, { body, items }),
      };
    };
    const record = await deps.peers.intake['requests.correct'](
      {
        ...reference,
        corrections: corrected.values as Record<string, string | boolean>,
        faults,
        files,
        ...(isBundled ? await bundle() : {}),
      },
      options,
    );
    const { language } = request.call;
    setLanguageHeaders(language, reply);
    return toStatus(record, { family: 'FR', timeZone: deps.timeZone, language });
  };
}

/** Refuses fixed fields; if they were ignored, they would seem to be corrected. */
function findFixedFields(fields: Readonly<Record<string, unknown>>): ErrorDetail[] {
  return fixedNames
    .filter((name) => Object.hasOwn(fields, name) && normalizeValue(name, fields[name]) !== undefined)
    .map((name) => fieldFault('FIELD_NOT_CORRECTABLE', name, createText('field.notCorrectable')));
}
