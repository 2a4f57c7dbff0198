import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import type { ServiceWarning } from '@rubrica/contracts/rest/dry-run';
import { evidenceItemSchema } from '@rubrica/contracts/rest/linked-partner';
import type { Operation } from '@rubrica/contracts/rest/operation';
import { type OperationId, operations } from '@rubrica/contracts/rest/operations';
import { findCanton } from '@rubrica/ecuador';
import { nearestName } from '@rubrica/process';

type Fields = Readonly<Record<string, unknown>>;
type Warning = ServiceWarning;

/** Body as received, for an operation. */
export interface ReceivedBody {
  readonly operation: OperationId;
  readonly fields: Fields;
}

/** Maximum number of warnings, for a body of arbitrary fields. */
const maxWarnings = 50;
const maxNameLength = 60;

/** Finds input that a registration would silently ignore or accept: misspelt field names, and unknown cities. */
export function findIgnored({ operation, fields }: ReceivedBody): Warning[] {
  const { body }: Operation = operations[operation];
  const knownNames = Object.keys(body?.shape ?? {});
  const { evidences } = fields;
  const items = knownNames.includes('evidences') && Array.isArray(evidences) ? evidences : [];
  const warnings: Warning[] = [];
  for (const createWarning of listIgnored(fields, { knownNames, items })) {
    if (warnings.length === maxWarnings) break;
    warnings.push(createWarning());
  }
  return warnings;
}

/** Yields functions that create the warnings: the search for a similar name takes time, and most warnings are dropped. */
function* listIgnored(
  fields: Fields,
  { knownNames, items }: { readonly knownNames: readonly string[]; readonly items: readonly unknown[] },
): Generator<() => Warning> {
  yield* listUnknown(fields, knownNames);
  for (const [index, item] of items.entries())
    if (isObject(item))
      yield* listUnknown(item, Object.keys(evidenceItemSchema.shape), `evidences[${index}].`);
  for (const warning of findUnknownCity(fields, knownNames)) yield () => warning;
}

function* listUnknown(fields: Fields, knownNames: readonly string[], prefix = ''): Generator<() => Warning> {
  for (const name of Object.keys(fields))
    if (!knownNames.includes(name)) yield () => createUnknownFieldWarning(name, knownNames, prefix);
}

function createUnknownFieldWarning(name: string, knownNames: readonly string[], prefix: string): Warning {
  const field = `${prefix}${name}`.slice(0, maxNameLength);
  const similar = name.length <= maxNameLength ? nearestName(name, knownNames) : undefined;
  const fault =
    similar === undefined
      ? createText('field.ignored')
      : createText('field.ignoredSimilar', {
          name: `${prefix}${similar}`,
        });
  return toWarning('UNKNOWN_FIELD', field, fault);
}

function findUnknownCity({ city }: Fields, knownNames: readonly string[]): Warning[] {
  if (!knownNames.includes('city') || typeof city !== 'string' || city.trim() === '') return [];
  if (findCanton(city) !== undefined) return [];
  const given = city.slice(0, maxNameLength);
  return [toWarning('UNKNOWN_CITY', 'city', createText('field.cityUnlisted', { given }))];
}

function toWarning(code: string, field: string, fault: ErrorText): Warning {
  const text = createFieldText(field, fault);
  return { code, field, message: renderEnglish(text), text };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
