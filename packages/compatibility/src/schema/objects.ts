import type { Difference, Judge, Pair } from './difference.ts';
import type { Schema } from './json-schema.ts';
import { admits } from './scalars.ts';

/**
 * Compares objects field by field. A sender sends only the fields that it declares. A reader of an open object ignores
 * unknown fields: new fields are no fault, but fields that it read before are.
 */
export function compareObjects(judge: Judge<Schema>, pair: Pair<Schema>, at: string): Difference[] {
  const { sent, taken } = pair;
  const missing = (taken.required ?? []).filter((name) => !(sent.required ?? []).includes(name));
  return [
    ...missing.map((name) => ({ at: `${at}/${name}`, text: 'may be missing, and is required' })),
    ...Object.keys(sent.properties ?? {}).flatMap((name) => compareSent(judge, { ...pair, name }, at)),
    ...compareUnsent(judge, pair, at, missing),
    ...compareOthers(judge, pair, at),
  ];
}

/** Compares a field that the sender declares. */
function compareSent(
  judge: Judge<Schema>,
  { sent, taken, name }: Pair<Schema> & { readonly name: string },
  at: string,
): Difference[] {
  const here = `${at}/${name}`;
  const own = sent.properties?.[name] ?? {};
  const reads = taken.properties?.[name];
  if (reads !== undefined) return judge.fits(own, reads, here);
  const others = readOthers(taken);
  if (others === 'refused') return [{ at: here, text: 'is refused as unknown' }];
  if (others === 'ignored')
    return judge.direction === 'request' ? [{ at: here, text: 'is no longer read' }] : [];
  const { propertyNames } = taken;
  const isName = propertyNames === undefined || admits(propertyNames, name);
  return isName ? judge.fits(own, others, here) : [{ at: here, text: 'is no name that is taken' }];
}

/** Compares fields that the reader knows and the sender does not declare. */
function compareUnsent(
  judge: Judge<Schema>,
  { sent, taken }: Pair<Schema>,
  at: string,
  missing: readonly string[],
): Difference[] {
  const others = readOthers(sent);
  return Object.entries(taken.properties ?? {}).flatMap(([name, reads]) => {
    if (Object.hasOwn(sent.properties ?? {}, name)) return [];
    const here = `${at}/${name}`;
    if (typeof others !== 'string') return judge.fits(others, reads, here);
    if (judge.direction === 'request' || missing.includes(name)) return [];
    return [{ at: here, text: 'is no longer said' }];
  });
}

/** Compares fields that neither declares. */
function compareOthers(judge: Judge<Schema>, { sent, taken }: Pair<Schema>, at: string): Difference[] {
  const [own, reads] = [readOthers(sent), readOthers(taken)];
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

/** Returns the treatment of undeclared fields: a record and a loose object accept them by a schema. */
function readOthers({ additionalProperties }: Schema): Schema | 'refused' | 'ignored' {
  if (additionalProperties === false) return 'refused';
  if (additionalProperties === undefined) return 'ignored';
  return additionalProperties === true ? {} : additionalProperties;
}
