import { AppError } from '@rubrica/process/errors';
import { expect, test } from 'vitest';
import { createExchangedTokens } from './exchanged-tokens.ts';

const identity = {
  partnerId: '0197a000-0000-7000-8000-000000000001',
  clientId: 'c',
  scopes: [],
  sealedToken: 'sealed',
};

const startMs = 1_700_000_000_000;

function setUp() {
  const state = {
    asked: [] as string[],
    nowMs: startMs,
    expiresAtMs: startMs + 60_000,
    failure: undefined as AppError | undefined,
  };
  const exchange = async ({ sealedToken }: { sealedToken: string }) => {
    state.asked.push(sealedToken);
    if (state.failure) throw state.failure;
    return { sealedAccessToken: 'of intake', expiresInSeconds: 60 };
  };
  const { resolve, isExchanged } = createExchangedTokens({
    peers: { intake: { 'tokens.exchange': exchange } },
    // What sealing and verifying do is the keyring's own matter, and tested there.
    keyring: {
      sealTo: async (service, _, { purpose, owner }) => `sealed to ${service}: ${purpose} of ${owner}`,
      openText: async (text) => text,
    },
    tokens: { verifyPartner: async () => ({ identity, expiresAtMs: state.expiresAtMs }) },
    baseUrl: 'https://api.example',
    nowMs: () => state.nowMs,
  });
  return { state, resolve, isExchanged };
}

test('many calls at once with one token are one question, and it leaves sealed to intake', async () => {
  const { state, resolve } = setUp();
  await Promise.all(Array.from({ length: 10 }, () => resolve('rbk_one')));
  expect(state.asked).toEqual(['sealed to intake: entered-token of gateway']);
});

test('an answer is forgotten before 5 s have passed, a refusal too', async () => {
  const { state, resolve } = setUp();
  await resolve('rbk_one');
  state.nowMs = startMs + 4_999;
  state.failure = new AppError({ code: 'UNAUTHENTICATED' });
  expect(await resolve('rbk_one')).toBeUndefined();
  expect(await resolve('rbk_one')).toBeUndefined();
  expect(state.asked).toHaveLength(2);
  state.nowMs = startMs + 9_998;
  state.failure = undefined;
  expect(await resolve('rbk_one')).toEqual(identity);
});

test('a flood of invented tokens does not push out one that is in use', async () => {
  const { state, resolve } = setUp();
  await resolve('rbk_used');
  state.failure = new AppError({ code: 'UNAUTHENTICATED' });
  for (let index = 0; index < 6_000; index += 1) await resolve(`rbk_${index}`);
  const before = state.asked.length;
  expect(await resolve('rbk_used')).toEqual(identity);
  expect(state.asked).toHaveLength(before);
});

test('when intake is away a token is not called wrong, and the next call asks again', async () => {
  const { state, resolve } = setUp();
  state.failure = new AppError({ code: 'SERVICE_UNAVAILABLE' });
  await expect(resolve('rbk_one')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  state.failure = undefined;
  expect(await resolve('rbk_one')).toEqual(identity);
});

test('an answer is not kept beyond the end of the token that it was given for', async () => {
  const { state, resolve } = setUp();
  state.expiresAtMs = startMs + 1_000;
  await resolve('rbk_one');
  state.nowMs = startMs + 1_000;
  state.failure = new AppError({ code: 'UNAUTHENTICATED' });
  expect(await resolve('rbk_one')).toBeUndefined();
});

test('intake is asked about API tokens and JWTs of other issuers, and about nothing else', () => {
  const { isExchanged } = setUp();
  const jwt = (claims: object) =>
    `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
  expect(['rbk_one', jwt({ iss: 'https://id.example' })].map(isExchanged)).toEqual([true, true]);
  const ours = [jwt({ iss: 'https://api.example' }), jwt({}), jwt({ iss: 1 }), 'a.b.c', 'x'];
  expect(ours.map(isExchanged)).toEqual([false, false, false, false, false]);
});
