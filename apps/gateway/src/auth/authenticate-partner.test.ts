import { expect, test } from 'vitest';
import { createPartnerAuthentication } from './authenticate-partner.ts';

const identity = {
  partnerId: '0197a000-0000-7000-8000-000000000001',
  clientId: 'c',
  scopes: ['status:read'] as const,
  sealedToken: 'sealed',
};

function setUp() {
  const state = { verified: 0, nowMs: 1_000_000, sealedTo: 'intake-enc-1' };
  const authenticate = createPartnerAuthentication({
    tokens: {
      async verifyPartner(token) {
        state.verified += 1;
        if (token !== 'good') throw new Error('bad signature');
        return { identity, expiresAtMs: 1_060_000 };
      },
    },
    exchanged: {
      isExchanged: (token) => token.startsWith('rbk_'),
      resolve: async (token) => (token === 'rbk_good' ? identity : undefined),
    },
    doorTokens: { sealedTo: () => state.sealedTo },
    clock: () => new Date(state.nowMs),
  });
  return { state, authenticate: async (header: string | undefined) => authenticate(header) };
}

test('a token is verified once and then known until it expires, to the millisecond', async () => {
  const { state, authenticate } = setUp();
  for (const _ of [1, 2, 3]) await authenticate('Bearer good');
  expect(state.verified).toBe(1);
  state.nowMs = 1_059_999;
  expect(await authenticate('bearer good')).toMatchObject({ kind: 'partner', partnerId: identity.partnerId });
  state.nowMs = 1_060_000;
  await expect(authenticate('Bearer good')).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
    publicMessage: 'The access token has expired',
  });
});

test('a token is sealed anew where what it was sealed to may have ended', async () => {
  const { state, authenticate } = setUp();
  await authenticate('Bearer good');
  state.sealedTo = 'intake-enc-2';
  for (const _ of [1, 2]) await authenticate('Bearer good');
  expect(state.verified).toBe(2);
});

test('a refused token is not remembered as good', async () => {
  const { state, authenticate } = setUp();
  for (const _ of [1, 2])
    await expect(authenticate('Bearer bad')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(state.verified).toBe(2);
});

test.each([undefined, '', 'good', 'Basic good', 'Bearer', 'Bearer a b', 'Bearer a,b', 'Bearer ñ'])(
  'the header %j is no bearer token',
  async (header) => {
    const { authenticate } = setUp();
    await expect(authenticate(header)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  },
);

test('a static token is recognised by its prefix and never parsed as a JWT', async () => {
  const { state, authenticate } = setUp();
  expect(await authenticate('Bearer rbk_good')).toMatchObject({ clientId: 'c' });
  await expect(authenticate('Bearer rbk_other')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(state.verified).toBe(0);
});
