import { expect, it } from 'vitest';
import { decideSandboxMark, NotASandbox } from './sandbox-mark.ts';

const sandbox = { isSandbox: true };
const production = { isSandbox: false };

it.each([
  ['a new schema is what is asked for', undefined, { isNew: true, isWanted: true, isLocal: false }, sandbox],
  [
    'a new schema is production otherwise',
    undefined,
    { isNew: true, isWanted: false, isLocal: true },
    production,
  ],
  ['one of before is production', undefined, { isNew: false, isWanted: false, isLocal: true }, production],
  [
    'one of before on this machine alone becomes a sandbox',
    undefined,
    { isNew: false, isWanted: true, isLocal: true },
    sandbox,
  ],
  ['a sandbox stays one', sandbox, { isNew: false, isWanted: true, isLocal: false }, sandbox],
  [
    'a sandbox stays one where none is asked for',
    sandbox,
    { isNew: false, isWanted: false, isLocal: false },
    sandbox,
  ],
  ['production stays what it is', production, { isNew: false, isWanted: false, isLocal: true }, production],
])('%s', (_, mark, request, expected) => {
  expect(decideSandboxMark(mark, request)).toEqual(expected);
});

it.each([
  ['production', production, { isNew: false, isWanted: true, isLocal: true }],
  ['production whose migrations are gone', production, { isNew: true, isWanted: true, isLocal: true }],
  ['a schema of before that others reach', undefined, { isNew: false, isWanted: true, isLocal: false }],
])('%s is never made a sandbox', (_, mark, request) => {
  expect(() => decideSandboxMark(mark, request)).toThrow(NotASandbox);
});
