import { isDeepStrictEqual } from 'node:util';
import { compareArrays } from './arrays.ts';
import type { Difference, Direction, Judge, Pair } from './difference.ts';
import {
  isAnything,
  isNothing,
  type Json,
  listKeywords,
  listUnjudgedKeywords,
  resolve,
  type Schema,
} from './json-schema.ts';
import { compareObjects } from './objects.ts';
import { compareScalars, listSchemaValues } from './scalars.ts';

interface Change {
  readonly before: Schema;
  readonly after: Schema;
  readonly direction: Direction;
  /** Documents that contain the references: the schemas themselves, unless they are parts of documents. */
  readonly roots?: { readonly before: Json; readonly after: Json };
}

/**
 * Lists differences that break the understanding between the two schemas. Undecidable cases count as differences: the
 * list is empty only if every value sent is read.
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
  /** Pairs in progress. A recursive schema is requested again while it is compared, which adds nothing. */
  const pairsInProgress = new Map<Schema, Set<Schema>>();
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
      const others = pairsInProgress.get(pair.sent) ?? new Set();
      if (others.has(pair.taken)) return differences;
      pairsInProgress.set(pair.sent, others.add(pair.taken));
      const found = compareResolved(judge, pair as Pair<Schema>, at);
      others.delete(pair.taken);
      return [...differences, ...found];
    },
  };
  return judge;
}

function compareResolved(judge: Judge<Schema>, { sent, taken }: Pair<Schema>, at: string): Difference[] {
  if (isNothing(sent) || isAnything(taken)) return [];
  const unknown = listUnjudged(sent, taken);
  if (unknown.length > 0) return [{ at, text: `cannot be told, for ${unknown.join(', ')}` }];
  const { default: _, ...values } = sent;
  return compareAlternatives(judge, { sent: values, taken }, at);
}

/** Compares defaults: a caller that omits a field relies on the default. */
function compareDefaults(sent: Json | undefined, taken: Json | undefined): string[] {
  if (sent === undefined || isDeepStrictEqual(sent, taken)) return [];
  const now = taken === undefined ? 'nothing' : JSON.stringify(taken);
  return [`left out it was ${JSON.stringify(sent)} and is ${now}`];
}

/** Lists keywords without a rule. A keyword that is equal in both, and contains no reference, changes nothing. */
function listUnjudged(sent: Schema, taken: Schema): string[] {
  const names = new Set([
    ...listUnjudgedKeywords(sent),
    ...listUnjudgedKeywords(taken),
    ...listCombined(sent),
    ...listCombined(taken),
  ]);
  return [...names].filter((name) => {
    const [own, other] = [sent, taken].map((schema) => (schema as Readonly<Record<string, Json>>)[name]);
    return !isDeepStrictEqual(own, other) || JSON.stringify(own).includes('"$ref"');
  });
}

/** Lists keywords that have a rule only alone, but appear in combinations that zod does not write. */
function listCombined(schema: Schema): string[] {
  const { type, allOf = [], not } = schema;
  const names: string[] = [];
  const isPatterns =
    type === 'string' && allOf.every((one) => listKeywords(one).every((name) => name === 'pattern'));
  if (allOf.length > 0 && !isPatterns) names.push('allOf');
  if (not !== undefined && (!isAnything(not) || listKeywords(schema).length > 1)) names.push('not');
  const either = schema.anyOf ? 'anyOf' : 'oneOf';
  if (schema[either] !== undefined && listKeywords(schema).length > 1) names.push(either);
  return names;
}

function compareAlternatives(judge: Judge<Schema>, { sent, taken }: Pair<Schema>, at: string): Difference[] {
  const own = listAlternatives(sent);
  if (own.length > 1 || sent.anyOf || sent.oneOf) return own.flatMap((one) => judge.fits(one, taken, at));
  const others = listAlternatives(taken);
  if (others.length === 1 && !taken.anyOf && !taken.oneOf) return compareKinds(judge, { sent, taken }, at);
  const tries = others.map((one) => judge.fits(sent, one, at));
  const closest = tries.toSorted((a, b) => a.length - b.length)[0] ?? [];
  if (closest.length === 0) return [];
  // One alternative may accept some values, and another the others.
  const values = listSchemaValues(sent) ?? [];
  if (values.length < 2) return closest;
  return values.flatMap((value) => judge.fits({ const: value }, taken, at));
}

/** Lists the alternatives of a schema: a union, or a type with null. */
function listAlternatives(schema: Schema): readonly Schema[] {
  const { anyOf, oneOf, type } = schema;
  if (anyOf ?? oneOf) return anyOf ?? oneOf ?? [];
  if (!Array.isArray(type) || schema.enum || schema.const !== undefined) return [schema];
  return type.map((one: string) => ({ ...schema, type: one }));
}

function compareKinds(judge: Judge<Schema>, pair: Pair<Schema>, at: string): Difference[] {
  const { sent, taken } = pair;
  if (isAnything(sent)) return [{ at, text: 'anything is sent, and only some is taken' }];
  if (isNothing(taken)) return [{ at, text: 'nothing is taken' }];
  if (listSchemaValues(sent) !== undefined || listSchemaValues(taken) !== undefined)
    return compareScalars(pair, at);
  const isSame = sent.type === taken.type || (sent.type === 'integer' && taken.type === 'number');
  if (!isSame || typeof sent.type !== 'string')
    return [{ at, text: `${describeKind(sent)} is sent, and ${describeKind(taken)} is taken` }];
  if (sent.type === 'object') return compareObjects(judge, pair, at);
  if (sent.type === 'array') return compareArrays(judge, pair, at);
  return compareScalars(pair, at);
}

function describeKind({ type }: Schema): string {
  return type === undefined ? 'what has no type' : String(type);
}
