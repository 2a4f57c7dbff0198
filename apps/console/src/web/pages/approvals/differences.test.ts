import { expect, test } from 'vitest';
import { listDifferences } from './differences.ts';

test('what changes comes first, and what stays is there too', () => {
  const before = { name: 'Acme', reviewPolicy: 'four-eyes', scopes: ['a', 'b'] };
  expect(listDifferences(before, { ...before, reviewPolicy: 'automatic' })).toEqual([
    { field: 'reviewPolicy', before: 'four-eyes', after: 'automatic', changes: true },
    { field: 'name', before: 'Acme', after: 'Acme', changes: false },
    { field: 'scopes', before: 'a, b', after: 'a, b', changes: false },
  ]);
});

test('of a new record every field changes, and fields of inner objects have their path', () => {
  expect(listDifferences(null, { quota: { TRADITIONAL_SIGNATURE: 5 } })).toEqual([
    { field: 'quota.TRADITIONAL_SIGNATURE', before: undefined, after: '5', changes: true },
  ]);
});

test('nothing is left out or shortened, however long or empty it is', () => {
  const content = 'Clause. '.repeat(2_000);
  expect(listDifferences(null, { content, quota: {}, 'a.b': { c: null } })).toEqual([
    { field: 'content', before: undefined, after: `"${content}"`, changes: true },
    { field: 'quota', before: undefined, after: '{}', changes: true },
    { field: '"a.b".c', before: undefined, after: 'null', changes: true },
  ]);
});
