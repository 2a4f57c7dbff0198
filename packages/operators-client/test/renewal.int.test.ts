import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { initTRPC, TRPCError } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { expect, it } from 'vitest';
import { createOperatorsClient, faultOf, type Session } from '../src/index.ts';

/** Answers as a gateway would, to the token that was given last and no other. */
async function doors({ expiresIn = 1_800 } = {}) {
  const t = initTRPC.context<{ token: string | undefined }>().create();
  const seen = { renewals: 0, urls: [] as string[] };
  let current = 0;
  const give = () => {
    current += 1;
    return { accessToken: `a${current}`, expiresIn, refreshToken: `r${current}`, role: 'viewer' };
  };
  const unauthenticated = () => new TRPCError({ code: 'UNAUTHORIZED', message: 'Sign in' });
  const router = t.router({
    auth: t.router({
      signIn: t.procedure.input((input) => input).mutation(give),
      refresh: t.procedure
        .input((input) => input as { refreshToken: string })
        .mutation(({ input }) => {
          seen.renewals += 1;
          if (input.refreshToken !== `r${current}`) throw unauthenticated();
          return give();
        }),
    }),
    overview: t.procedure.query(({ ctx }) => {
      if (ctx.token !== `Bearer a${current}`) throw unauthenticated();
      return { registeredLastDay: current };
    }),
  });
  const server = createHTTPServer({
    router,
    allowMethodOverride: true,
    createContext: ({ req }) => {
      seen.urls.push(`${req.method} ${req.url}`);
      return { token: req.headers.authorization };
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    endToken: () => void give(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

const credentials = { email: 'viewer@example.com', password: 'x' };

it('renews a token before its end, once for all calls that wait for it', async () => {
  await using gateway = await doors({ expiresIn: 10 });
  const kept: (Session | undefined)[] = [];
  const client = createOperatorsClient({ url: gateway.url, onSession: (session) => kept.push(session) });
  await client.signIn(credentials);
  const answers = await Promise.all([client.procedures.overview.query(), client.procedures.overview.query()]);
  expect(answers.map((answer) => answer.registeredLastDay)).toEqual([2, 2]);
  expect(gateway.seen.renewals).toBe(1);
  expect(kept.map((session) => session?.refreshToken)).toEqual(['r1', 'r2']);
});

it('goes on with a kept session, and gives it up when its refresh token is refused', async () => {
  await using gateway = await doors();
  const first = createOperatorsClient({ url: gateway.url });
  await first.signIn(credentials);
  const kept: (Session | undefined)[] = [];
  const second = createOperatorsClient({
    url: gateway.url,
    session: first.session,
    onSession: (session) => kept.push(session),
  });
  expect((await second.procedures.overview.query()).registeredLastDay).toBe(1);
  gateway.endToken();
  const fault = await second.procedures.overview.query().then(() => expect.unreachable(), faultOf);
  expect(fault?.message).toBe('Sign in');
  expect([gateway.seen.renewals, kept, second.session]).toEqual([1, [undefined], undefined]);
});

it('sends what was asked for in bodies, never in an address', async () => {
  await using gateway = await doors();
  const client = createOperatorsClient({ url: gateway.url });
  await client.signIn(credentials);
  await client.procedures.overview.query();
  expect(gateway.seen.urls).toEqual(['POST /auth.signIn?batch=1', 'POST /overview?batch=1']);
});
