import { expect, test } from 'vitest';
import { differencesOf } from './differences.ts';

test('what changes comes first, and what stays is there too', () => {
  const before = { name: 'Acme', reviewPolicy: 'four-eyes', scopes: ['a', 'b'] };
  expect(differencesOf(before, { ...before, reviewPolicy: 'automatic' })).toEqual([
    { field: 'reviewPolicy', before: 'four-eyes', after: 'automatic', changes: true },
    { field: 'name', before: 'Acme', after: 'Acme', changes: false },
    { field: 'scopes', before: 'a, b', after: 'a, b', changes: false },
  ]);
});

test('of a new record every field changes, and fields of inner objects have their path', () => {
  expect(differencesOf(null, { quota: { TRADITIONAL_SIGNATURE: 5 } })).toEqual([
    { field: 'quota.TRADITIONAL_SIGNATURE', before: undefined, after: '5', changes: true },
  ]);
});
