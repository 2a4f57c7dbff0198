import { expect, it } from 'vitest';
import { dateAnswer } from './last-modified.ts';

const at = (text: string) => new Date(`2026-11-28T12:00:${text}Z`);

it('dates an answer by its thisUpdate', () => {
  expect(dateAnswer(at('07.300'), {})).toEqual(at('07.300'));
  expect(dateAnswer(at('07.300'), { revokedAt: at('06.999'), heldAt: null })).toEqual(at('07.300'));
});

it.each([
  ['revocation', { revokedAt: at('07.200') }],
  ['hold', { heldAt: at('07.000') }],
  ['revocation after a hold', { heldAt: at('01.000'), revokedAt: at('07.290') }],
])('dates an answer that was signed in the second of a %s after every answer before', (_what, standing) => {
  const before = dateAnswer(at('07.100'), {});
  const after = dateAnswer(at('07.300'), standing);
  expect(Math.floor(after.getTime() / 1_000)).toBeGreaterThan(Math.floor(before.getTime() / 1_000));
});
