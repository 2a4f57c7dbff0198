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

/** A body as it was sent, for an operation. */
export interface GivenBody {
  readonly operation: OperationId;
  readonly fields: Fields;
}

/** A body of nonsense is not answered by a warning for each of its fields. */
const mostWarnings = 50;
const longestName = 60;

/** Finds what a registration would take without a word, or leave out: names that are misspelt, and cities. */
export function findIgnored({ operation, fields }: GivenBody): Warning[] {
  const { body }: Operation = operations[operation];
  const known = Object.keys(body?.shape ?? {});
  const { evidences } = fields;
  const items = known.includes('evidences') && Array.isArray(evidences) ? evidences : [];
  const warnings: Warning[] = [];
  for (const found of listIgnored(fields, { known, items })) {
    if (warnings.length === mostWarnings) break;
    warnings.push(found());
  }
  return warnings;
}

/** Yields one after the other what is ignored; the near name of a field, which takes time, is looked for when it is called. */
function* listIgnored(
  fields: Fields,
  { known, items }: { readonly known: readonly string[]; readonly items: readonly unknown[] },
): Generator<() => Warning> {
  yield* listUnknown(fields, known);
  for (const [index, item] of items.entries())
    if (isObject(item))
      yield* listUnknown(item, Object.keys(evidenceItemSchema.shape), `evidences[${index}].`);
  for (const warning of unknownCity(fields, known)) yield () => warning;
}

function* listUnknown(fields: Fields, known: readonly string[], prefix = ''): Generator<() => Warning> {
  for (const name of Object.keys(fields))
    if (!known.includes(name)) yield () => unknownField(name, known, prefix);
}

function unknownField(name: string, known: readonly string[], prefix: string): Warning {
  const field = `${prefix}${name}`.slice(0, longestName);
  const meant = name.length <= longestName ? nearestName(name, known) : undefined;
  const fault =
    meant === undefined
      ? createText('field.ignored')
      : createText('field.ignoredSimilar', {
          name: `${prefix}${meant}`,
        });
  return toWarning('UNKNOWN_FIELD', field, fault);
}

function unknownCity({ city }: Fields, known: readonly string[]): Warning[] {
  if (!known.includes('city') || typeof city !== 'string' || city.trim() === '') return [];
  if (findCanton(city) !== undefined) return [];
  const given = city.slice(0, longestName);
  return [toWarning('UNKNOWN_CITY', 'city', createText('field.cityUnlisted', { given }))];
}

function toWarning(code: string, field: string, fault: ErrorText): Warning {
  const text = createFieldText(field, fault);
  return { code, field, message: renderEnglish(text), text };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
