import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createKeyrings } from '../../test/keyrings.ts';
import { readStatement } from './read-statement.ts';

const { keyringOf, [Symbol.asyncDispose]: remove } = await createKeyrings();
afterAll(remove);

const type = 'rubrica-test+jwt';
const schema = z.strictObject({
  iss: z.literal('generation'),
  sequence: z.int(),
  iat: z.int().optional(),
  exp: z.int().optional(),
});
const kind = { type, issuer: 'generation', schema };
const now = 1_800_000_000;
const generation = await keyringOf('generation');
const deps = { keyring: await keyringOf('intake'), nowMs: now * 1_000 };

const sign = (claims: object) => generation.signStatement(type, { sequence: 7, ...claims });

describe('reading a statement', () => {
  it('gives its claims', () => {
    const claims = { iss: 'generation', sequence: 7 };
    expect(readStatement(sign({}), kind, deps)).toEqual({ kind: 'valid', claims });
  });

  it.each([
    ['is missing', undefined],
    ['is not a JWS', 'generation says so'],
    ['has a claim that the schema does not name', sign({ admin: true })],
    ['lacks a claim', generation.signStatement(type, {})],
    ['is of another kind', generation.signStatement('rubrica-other+jwt', { sequence: 7 })],
  ])('refuses one that %s', (_fault, jws) => {
    expect(readStatement(jws, kind, deps)).toMatchObject({ kind: 'refused' });
  });

  it.each([
    ['began a second ago', { iat: now - 1, exp: now + 59 }, 'valid'],
    ['began 30 s from now, by a clock that is ahead', { iat: now + 30, exp: now + 60 }, 'valid'],
    ['begins 31 s from now', { iat: now + 31, exp: now + 60 }, 'refused'],
    ['ends now', { iat: now - 60, exp: now }, 'refused'],
    ['lives longer than it may', { iat: now, exp: now + 61 }, 'refused'],
    ['has no end', { iat: now }, 'refused'],
    ['has no beginning', { exp: now + 1 }, 'refused'],
  ])('with a life of a minute, of one that %s: %j is %s', (_case, claims, expected) => {
    expect(readStatement(sign(claims), { ...kind, lifeMs: 60_000 }, deps).kind).toBe(expected);
  });
});
