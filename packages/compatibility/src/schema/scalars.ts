import { isDeepStrictEqual } from 'node:util';
import type { Difference, Pair } from './difference.ts';
import type { Json, Schema } from './json-schema.ts';

interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

/** Lists the values of a schema; undefined if it lists none. */
export function listSchemaValues(schema: Schema): readonly Json[] | undefined {
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum !== undefined) return schema.enum;
  if (schema.type === 'null') return [null];
  if (schema.type === 'boolean') return [false, true];
  return undefined;
}

/** Compares texts or numbers of one schema with the other, or each listed value separately. */
export function compareScalars({ sent, taken }: Pair<Schema>, at: string): Difference[] {
  const values = listSchemaValues(sent);
  if (values !== undefined) {
    return selectValues(sent, taken, values)
      .filter((value) => !admits(taken, value))
      .map((value) => ({ at, text: `${JSON.stringify(value)} is not taken` }));
  }
  const listed = listSchemaValues(taken);
  if (listed !== undefined) return [{ at, text: `only ${listed.map(showValue).join(', ')} is taken` }];
  const texts = sent.type === 'string' ? textFaults(sent, taken) : numberFaults(sent, taken);
  return texts.map((text) => ({ at, text }));
}

/** Selects the values to compare. An extensible list is compared only by the values that it had before. */
function selectValues(sent: Schema, taken: Schema, values: readonly Json[]): readonly Json[] {
  const had = listSchemaValues(taken);
  if (sent['x-extensible-enum'] !== true || had === undefined) return values;
  return values.filter((value) => had.some((one) => isDeepStrictEqual(one, value)));
}

function showValue(value: Json): string {
  return JSON.stringify(value);
}

/** Checks if a schema without alternatives accepts a value; only scalar values can be checked. */
export function admits(schema: Schema, value: Json): boolean {
  const listed = listSchemaValues(schema);
  if (listed !== undefined) return listed.some((one) => isDeepStrictEqual(one, value));
  if (typeof value === 'string') return schema.type === 'string' && admitsText(schema, value);
  if (typeof value !== 'number') return false;
  if (schema.type !== 'number' && !(schema.type === 'integer' && Number.isInteger(value))) return false;
  const one: Schema = { type: schema.type, minimum: value, maximum: value, multipleOf: value };
  return numberFaults(one, schema).length === 0;
}

function admitsText(schema: Schema, value: string): boolean {
  const patterns = listPatterns(schema);
  // A format without a pattern describes its rule in words, which cannot be checked.
  if (schema.format !== undefined && patterns.length === 0) return false;
  return (
    value.length >= (schema.minLength ?? 0) &&
    value.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY) &&
    patterns.every((pattern) => new RegExp(pattern, 'u').test(value))
  );
}

function listPatterns({ pattern, allOf = [] }: Schema): string[] {
  return [pattern, ...allOf.map((one) => one.pattern)].filter((one) => one !== undefined);
}

function textFaults(sent: Schema, taken: Schema): string[] {
  const [min, max] = [taken.minLength ?? 0, taken.maxLength ?? Number.POSITIVE_INFINITY];
  const faults: string[] = [];
  if ((sent.minLength ?? 0) < min) faults.push(`shorter texts than ${min} are not taken`);
  if ((sent.maxLength ?? Number.POSITIVE_INFINITY) > max)
    faults.push(`longer texts than ${max} are not taken`);
  const known = listPatterns(sent);
  for (const pattern of listPatterns(taken)) {
    if (!known.includes(pattern)) faults.push(`whether all match ${pattern} cannot be told`);
  }
  for (const name of ['format', 'contentEncoding'] as const) {
    if (taken[name] !== undefined && taken[name] !== sent[name])
      faults.push(`whether all are of the ${name} ${taken[name]} cannot be told`);
  }
  return faults;
}

function numberFaults(sent: Schema, taken: Schema): string[] {
  const faults: string[] = [];
  const min = lowest(taken);
  const max = highest(taken);
  if (min !== undefined && !isWithin(lowest(sent), min, 1))
    faults.push(`less than ${min.value} is not taken`);
  if (max !== undefined && !isWithin(highest(sent), max, -1))
    faults.push(`more than ${max.value} is not taken`);
  const step = taken.multipleOf;
  if (step !== undefined && !isMultiple(sent, step)) faults.push(`only multiples of ${step} are taken`);
  return faults;
}

function isMultiple({ type, multipleOf }: Schema, step: number): boolean {
  if (multipleOf === undefined) return type === 'integer' && step === 1;
  return Number.isInteger(multipleOf / step) || multipleOf === step;
}

/**
 * Checks if a bound is at least as strict.
 * @param sign 1 for lower bounds, -1 for upper ones
 */
function isWithin(sent: Bound | undefined, taken: Bound, sign: 1 | -1): boolean {
  if (sent === undefined) return false;
  if (sent.value === taken.value) return sent.exclusive || !taken.exclusive;
  return (sent.value - taken.value) * sign > 0;
}

function lowest({ type, minimum, exclusiveMinimum }: Schema): Bound | undefined {
  return createBound({ type, inclusive: minimum, exclusive: exclusiveMinimum, sign: 1 });
}

function highest({ type, maximum, exclusiveMaximum }: Schema): Bound | undefined {
  return createBound({ type, inclusive: maximum, exclusive: exclusiveMaximum, sign: -1 });
}

interface Limits {
  readonly type: Schema['type'];
  readonly inclusive: number | undefined;
  readonly exclusive: number | undefined;
  readonly sign: 1 | -1;
}

/** Combines two bounds into the stricter one. Integers beyond 4 are those from 5. */
function createBound({ type, inclusive, exclusive, sign }: Limits): Bound | undefined {
  const isWhole = type === 'integer' && exclusive !== undefined && Number.isInteger(exclusive);
  const bounds: Bound[] = [];
  if (inclusive !== undefined) bounds.push({ value: inclusive, exclusive: false });
  if (exclusive !== undefined)
    bounds.push(
      isWhole ? { value: exclusive + sign, exclusive: false } : { value: exclusive, exclusive: true },
    );
  const [first, second] = bounds;
  if (first === undefined || second === undefined) return first;
  return isWithin(first, second, sign) ? first : second;
}
