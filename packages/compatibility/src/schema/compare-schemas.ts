import { isDeepStrictEqual } from 'node:util';
import { compareArrays } from './arrays.ts';
import type { Difference, Direction, Judge, Pair } from './difference.ts';
import {
  isAnything,
  isNothing,
  type Json,
  keywordsOf,
  resolve,
  type Schema,
  unjudgedKeywordsOf,
} from './json-schema.ts';
import { compareObjects } from './objects.ts';
import { compareScalars, valuesOf } from './scalars.ts';

interface Change {
  readonly before: Schema;
  readonly after: Schema;
  readonly direction: Direction;
  /** Where references begin: the schemas themselves, unless they are parts of documents. */
  readonly roots?: { readonly before: Json; readonly after: Json };
}

/**
 * Whether who holds to the schema before is understood after. What cannot be told is a difference too: the answer is
 * empty only where every value that is sent is read.
 */
export function compareSchemas({ before, after, direction, roots }: Change): Difference[] {
  const own = roots ?? { before: before as Json, after: after as Json };
  const isRequest = direction === 'request';
  const judge = createJudge({
    direction,
    sentRoot: isRequest ? own.before : own.after,
    takenRoot: isRequest ? own.after : own.before,
  });
  return isRequest ? judge.fits(before, after, '') : judge.fits(after, before, '');
}

interface Whole {
  readonly direction: Direction;
  readonly sentRoot: Json;
  readonly takenRoot: Json;
}

function createJudge({ direction, sentRoot, takenRoot }: Whole): Judge<Schema> {
  /** A schema that holds itself is asked for again while it is compared, and that adds nothing. */
  const underWay = new Map<Schema, Set<Schema>>();
  const judge: Judge<Schema> = {
    direction,
    fits(sent, taken, at) {
      const pair = { sent: resolve(sent, sentRoot), taken: resolve(taken, takenRoot) };
      if (pair.sent === undefined || pair.taken === undefined)
        return [{ at, text: 'a reference cannot be followed' }];
      const defaults = compareDefaults(
        sent.default ?? pair.sent.default,
        taken.default ?? pair.taken.default,
      );
      const differences = direction === 'request' ? defaults.map((text) => ({ at, text })) : [];
      const others = underWay.get(pair.sent) ?? new Set();
      if (others.has(pair.taken)) return differences;
      underWay.set(pair.sent, others.add(pair.taken));
      const found = compareResolved(judge, pair as Pair<Schema>, at);
      others.delete(pair.taken);
      return [...differences, ...found];
    },
  };
  return judge;
}

function compareResolved(judge: Judge<Schema>, { sent, taken }: Pair<Schema>, at: string): Difference[] {
  if (isNothing(sent) || isAnything(taken)) return [];
  const unknown = unjudged(sent, taken);
  if (unknown.length > 0) return [{ at, text: `cannot be told, for ${unknown.join(', ')}` }];
  const { default: _, ...values } = sent;
  return compareAlternatives(judge, { sent: values, taken }, at);
}

/** Who leaves a field out relies on what it stands for then. */
function compareDefaults(sent: Json | undefined, taken: Json | undefined): string[] {
  if (sent === undefined || isDeepStrictEqual(sent, taken)) return [];
  const now = taken === undefined ? 'nothing' : JSON.stringify(taken);
  return [`left out it was ${JSON.stringify(sent)} and is ${now}`];
}

/** Keywords that the rules do not know. What both have alike, and without a reference, changes nothing. */
function unjudged(sent: Schema, taken: Schema): string[] {
  const names = new Set([
    ...unjudgedKeywordsOf(sent),
    ...unjudgedKeywordsOf(taken),
    ...combined(sent),
    ...combined(taken),
  ]);
  return [...names].filter((name) => {
    const [own, other] = [sent, taken].map((schema) => (schema as Readonly<Record<string, Json>>)[name]);
    return !isDeepStrictEqual(own, other) || JSON.stringify(own).includes('"$ref"');
  });
}

/** Keywords that are known alone, in a place where zod does not write them. */
function combined(schema: Schema): string[] {
  const { type, allOf = [], not } = schema;
  const names: string[] = [];
  const isPatterns =
    type === 'string' && allOf.every((one) => keywordsOf(one).every((name) => name === 'pattern'));
  if (allOf.length > 0 && !isPatterns) names.push('allOf');
  if (not !== undefined && (!isAnything(not) || keywordsOf(schema).length > 1)) names.push('not');
  const either = schema.anyOf ? 'anyOf' : 'oneOf';
  if (schema[either] !== undefined && keywordsOf(schema).length > 1) names.push(either);
  return names;
}

function compareAlternatives(judge: Judge<Schema>, { sent, taken }: Pair<Schema>, at: string): Difference[] {
  const own = alternativesOf(sent);
  if (own.length > 1 || sent.anyOf || sent.oneOf) return own.flatMap((one) => judge.fits(one, taken, at));
  const others = alternativesOf(taken);
  if (others.length === 1 && !taken.anyOf && !taken.oneOf) return compareKinds(judge, { sent, taken }, at);
  const tries = others.map((one) => judge.fits(sent, one, at));
  const closest = tries.toSorted((a, b) => a.length - b.length)[0] ?? [];
  if (closest.length === 0) return [];
  // Some values may be taken by one alternative, and others by another.
  const values = valuesOf(sent) ?? [];
  if (values.length < 2) return closest;
  return values.flatMap((value) => judge.fits({ const: value }, taken, at));
}

/** What is one of several: a union, and a type beside null. */
function alternativesOf(schema: Schema): readonly Schema[] {
  const { anyOf, oneOf, type } = schema;
  if (anyOf ?? oneOf) return anyOf ?? oneOf ?? [];
  if (!Array.isArray(type) || schema.enum || schema.const !== undefined) return [schema];
  return type.map((one: string) => ({ ...schema, type: one }));
}

function compareKinds(judge: Judge<Schema>, pair: Pair<Schema>, at: string): Difference[] {
  const { sent, taken } = pair;
  if (isAnything(sent)) return [{ at, text: 'anything is sent, and only some is taken' }];
  if (isNothing(taken)) return [{ at, text: 'nothing is taken' }];
  if (valuesOf(sent) !== undefined || valuesOf(taken) !== undefined) return compareScalars(pair, at);
  const isSame = sent.type === taken.type || (sent.type === 'integer' && taken.type === 'number');
  if (!isSame || typeof sent.type !== 'string')
    return [{ at, text: `${kindOf(sent)} is sent, and ${kindOf(taken)} is taken` }];
  if (sent.type === 'object') return compareObjects(judge, pair, at);
  if (sent.type === 'array') return compareArrays(judge, pair, at);
  return compareScalars(pair, at);
}

function kindOf({ type }: Schema): string {
  return type === undefined ? 'what has no type' : String(type);
}
