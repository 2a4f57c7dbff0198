import {
  regularCorrectionShape,
  regularFileNames,
  regularFiles,
  regularShape,
} from '@rubrica/contracts/rest/regular';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { uuidv7 } from '@rubrica/process';
import { bodyPlan, fileLimits } from '../../body/body-plan.ts';
import { partnerOf } from '../../context.ts';
import { assertFaultless } from '../../fields/assert-faultless.ts';
import { clean } from '../../fields/clean.ts';
import { identifierOf } from '../../fields/identifier.ts';
import { parseFields } from '../../fields/parse-fields.ts';
import { detail } from '../../http/error-object.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';
import { checkNamedFiles } from '../evidence/check-named-files.ts';
import { toStatus } from '../requests/request-status.ts';

const { referenceTransaction: _names, callbackUrl: _addition, ...registered } = regularShape;
/**
 * What a registration takes and nothing lets anybody correct. callbackUrl, an addition to the interface, is let pass like
 * any field that it does not know.
 */
const fixed = Object.keys(registered).filter((name) => !(name in regularCorrectionShape));

/**
 * Takes what mends a regular request in error, or runs its failed step again. Not repeated by itself: a first call that
 * was carried out would make the second a conflict.
 */
export function createCorrectRegular(
  deps: Pick<RestDeps, 'peers' | 'readBody' | 'bundleFiles' | 'limits' | 'timeZone'>,
): Handler {
  const plan = bodyPlan('correctRegular', deps.limits, regularFileNames);
  const identifier = identifierOf('FR');
  const limits = fileLimits(deps.limits);
  return async (request) => {
    const body = await deps.readBody(request.raw, plan);
    const { items, files, faults: ofFiles } = checkNamedFiles(body, regularFiles, limits);
    const named = parseFields(identifier.shape, body.fields);
    const corrected = parseFields(regularCorrectionShape, body.fields);
    const ofIdentifier = identifier.faults(named.values, named.faults);
    const faults = [
      ...named.faults,
      ...ofIdentifier,
      ...corrected.faults,
      ...fixedFields(body.fields),
      ...ofFiles,
    ];
    if (!identifier.isGiven(named.values)) assertFaultless(faults);
    const isBundled = faults.length === 0 && items.length > 0;
    const record = await deps.peers.intake.requests.correct.mutate(
      {
        ...identifier.toRequest(named.values),
        corrections: corrected.values as Record<string, string | boolean>,
        faults,
        files,
        ...(isBundled ? { evidence: await deps.bundleFiles(uuidv7(), { body, items }) } : {}),
      },
      deps.peers.as(partnerOf(request)),
    );
    return toStatus(record, { family: 'FR', timeZone: deps.timeZone });
  };
}

/** Left out silently, they would seem to be corrected. */
function fixedFields(fields: Readonly<Record<string, unknown>>): ErrorDetail[] {
  return fixed
    .filter((name) => Object.hasOwn(fields, name) && clean(name, fields[name]) !== undefined)
    .map((name) => detail('FIELD_NOT_CORRECTABLE', name, `${name} cannot be corrected`));
}
