import type { Difference, Judge, Pair } from './difference.ts';
import type { Schema } from './json-schema.ts';
import { admits } from './scalars.ts';

/**
 * Fields one by one. A sender sends what it declares and nothing else. A reader of an open object ignores what it does not know: that is
 * no fault for what is new, and one for what it read before.
 */
export function compareObjects(judge: Judge<Schema>, pair: Pair<Schema>, at: string): Difference[] {
  const { sent, taken } = pair;
  const missing = (taken.required ?? []).filter((name) => !(sent.required ?? []).includes(name));
  return [
    ...missing.map((name) => ({ at: `${at}/${name}`, text: 'may be missing, and is required' })),
    ...Object.keys(sent.properties ?? {}).flatMap((name) => compareSent(judge, { ...pair, name }, at)),
    ...unsaid(judge, pair, at, missing),
    ...compareOthers(judge, pair, at),
  ];
}

/** A field that the sender has. */
function compareSent(
  judge: Judge<Schema>,
  { sent, taken, name }: Pair<Schema> & { readonly name: string },
  at: string,
): Difference[] {
  const here = `${at}/${name}`;
  const own = sent.properties?.[name] ?? {};
  const reads = taken.properties?.[name];
  if (reads !== undefined) return judge.fits(own, reads, here);
  const others = othersOf(taken);
  if (others === 'refused') return [{ at: here, text: 'is refused as unknown' }];
  if (others === 'ignored')
    return judge.direction === 'request' ? [{ at: here, text: 'is no longer read' }] : [];
  const { propertyNames } = taken;
  const isName = propertyNames === undefined || admits(propertyNames, name);
  return isName ? judge.fits(own, others, here) : [{ at: here, text: 'is no name that is taken' }];
}

/** Fields that the reader knows and the sender does not declare. */
function unsaid(
  judge: Judge<Schema>,
  { sent, taken }: Pair<Schema>,
  at: string,
  missing: readonly string[],
): Difference[] {
  const others = othersOf(sent);
  return Object.entries(taken.properties ?? {}).flatMap(([name, reads]) => {
    if (Object.hasOwn(sent.properties ?? {}, name)) return [];
    const here = `${at}/${name}`;
    if (typeof others !== 'string') return judge.fits(others, reads, here);
    if (judge.direction === 'request' || missing.includes(name)) return [];
    return [{ at: here, text: 'is no longer said' }];
  });
}

/** What neither names. */
function compareOthers(judge: Judge<Schema>, { sent, taken }: Pair<Schema>, at: string): Difference[] {
  const [own, reads] = [othersOf(sent), othersOf(taken)];
  if (reads === 'refused') {
    if (typeof own !== 'string') return [{ at: `${at}/*`, text: 'is refused as unknown' }];
    const closes = own === 'ignored' && judge.direction === 'request';
    return closes ? [{ at: `${at}/*`, text: 'was ignored and is refused' }] : [];
  }
  if (typeof own === 'string') return [];
  const values = reads === 'ignored' ? [] : judge.fits(own, reads, `${at}/*`);
  if (reads === 'ignored' || taken.propertyNames === undefined) return values;
  const names = judge.fits(sent.propertyNames ?? { type: 'string' }, taken.propertyNames, `${at}/*`);
  return [...names, ...values];
}

/** What an object does with fields that it does not name: a record and a loose object take them by a schema. */
function othersOf({ additionalProperties }: Schema): Schema | 'refused' | 'ignored' {
  if (additionalProperties === false) return 'refused';
  if (additionalProperties === undefined) return 'ignored';
  return additionalProperties === true ? {} : additionalProperties;
}
