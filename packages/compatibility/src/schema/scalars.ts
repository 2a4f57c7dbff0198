import { isDeepStrictEqual } from 'node:util';
import type { Difference, Pair } from './difference.ts';
import type { Json, Schema } from './json-schema.ts';

interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

/** The values that a schema lists; undefined where it lists none. */
export function valuesOf(schema: Schema): readonly Json[] | undefined {
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum !== undefined) return schema.enum;
  if (schema.type === 'null') return [null];
  if (schema.type === 'boolean') return [false, true];
  return undefined;
}

/** Every text or number of one schema under the other, or each listed value by itself. */
export function compareScalars({ sent, taken }: Pair<Schema>, at: string): Difference[] {
  const values = valuesOf(sent);
  if (values !== undefined) {
    return agreedValues(sent, taken, values)
      .filter((value) => !admits(taken, value))
      .map((value) => ({ at, text: `${JSON.stringify(value)} is not taken` }));
  }
  const listed = valuesOf(taken);
  if (listed !== undefined) return [{ at, text: `only ${listed.map(shown).join(', ')} is taken` }];
  const texts = sent.type === 'string' ? textFaults(sent, taken) : numberFaults(sent, taken);
  return texts.map((text) => ({ at, text }));
}

/** Of a list that is open, and still has all that it had, only what it had is judged. */
function agreedValues(sent: Schema, taken: Schema, values: readonly Json[]): readonly Json[] {
  const had = valuesOf(taken);
  if (sent['x-extensible-enum'] !== true || had === undefined) return values;
  return values.filter((value) => had.some((one) => isDeepStrictEqual(one, value)));
}

function shown(value: Json): string {
  return JSON.stringify(value);
}

/** Whether a schema without alternatives takes this value; only what has no parts can be told. */
export function admits(schema: Schema, value: Json): boolean {
  const listed = valuesOf(schema);
  if (listed !== undefined) return listed.some((one) => isDeepStrictEqual(one, value));
  if (typeof value === 'string') return schema.type === 'string' && admitsText(schema, value);
  if (typeof value !== 'number') return false;
  if (schema.type !== 'number' && !(schema.type === 'integer' && Number.isInteger(value))) return false;
  const one: Schema = { type: schema.type, minimum: value, maximum: value, multipleOf: value };
  return numberFaults(one, schema).length === 0;
}

function admitsText(schema: Schema, value: string): boolean {
  const patterns = patternsOf(schema);
  // A format without a pattern says in words what we cannot look at.
  if (schema.format !== undefined && patterns.length === 0) return false;
  return (
    value.length >= (schema.minLength ?? 0) &&
    value.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY) &&
    patterns.every((pattern) => new RegExp(pattern, 'u').test(value))
  );
}

function patternsOf({ pattern, allOf = [] }: Schema): string[] {
  return [pattern, ...allOf.map((one) => one.pattern)].filter((one) => one !== undefined);
}

function textFaults(sent: Schema, taken: Schema): string[] {
  const [least, most] = [taken.minLength ?? 0, taken.maxLength ?? Number.POSITIVE_INFINITY];
  const faults: string[] = [];
  if ((sent.minLength ?? 0) < least) faults.push(`shorter texts than ${least} are not taken`);
  if ((sent.maxLength ?? Number.POSITIVE_INFINITY) > most)
    faults.push(`longer texts than ${most} are not taken`);
  const known = patternsOf(sent);
  for (const pattern of patternsOf(taken)) {
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
  const least = lowest(taken);
  const most = highest(taken);
  if (least !== undefined && !isWithin(lowest(sent), least, 1))
    faults.push(`less than ${least.value} is not taken`);
  if (most !== undefined && !isWithin(highest(sent), most, -1))
    faults.push(`more than ${most.value} is not taken`);
  const step = taken.multipleOf;
  if (step !== undefined && !isMultiple(sent, step)) faults.push(`only multiples of ${step} are taken`);
  return faults;
}

function isMultiple({ type, multipleOf }: Schema, step: number): boolean {
  if (multipleOf === undefined) return type === 'integer' && step === 1;
  return Number.isInteger(multipleOf / step) || multipleOf === step;
}

/** @param sign 1 for lower bounds, -1 for upper ones */
function isWithin(sent: Bound | undefined, taken: Bound, sign: 1 | -1): boolean {
  if (sent === undefined) return false;
  if (sent.value === taken.value) return sent.exclusive || !taken.exclusive;
  return (sent.value - taken.value) * sign > 0;
}

function lowest({ type, minimum, exclusiveMinimum }: Schema): Bound | undefined {
  return bound({ type, inclusive: minimum, exclusive: exclusiveMinimum, sign: 1 });
}

function highest({ type, maximum, exclusiveMaximum }: Schema): Bound | undefined {
  return bound({ type, inclusive: maximum, exclusive: exclusiveMaximum, sign: -1 });
}

interface Limits {
  readonly type: Schema['type'];
  readonly inclusive: number | undefined;
  readonly exclusive: number | undefined;
  readonly sign: 1 | -1;
}

/** The stricter one where there are two. Whole numbers beyond 4 are those from 5. */
function bound({ type, inclusive, exclusive, sign }: Limits): Bound | undefined {
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
