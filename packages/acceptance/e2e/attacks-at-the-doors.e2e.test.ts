import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { operatorActor } from './support/operator-actor.ts';
import { until } from './support/poll.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const scene = await closeAfterAll(joinScene());

const doors = [
  { path: '/trpc/partners.list', type: 'application/json' },
  { path: '/trpc/auth.signIn', type: 'application/json' },
  { path: '/oauth/token', type: 'application/x-www-form-urlencoded' },
  { path: '/collector/linked-partner/request', type: 'application/json' },
  { path: '/pki/ocsp', type: 'application/ocsp-request' },
];

/** A call without a token whose body never comes, from an address of the loopback that nobody else has. */
function slowSocket(path: string, type: string): Socket {
  const port = Number(new URL(scene.stack.info().baseUrl).port);
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.66.0.1' });
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: rubrica.test',
    `content-type: ${type}`,
    'content-length: 16000',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n{`);
  // Whatever the gateway answers or ends is what it is here for.
  return socket.on('error', () => undefined).resume();
}

describe('whoever comes without any key', () => {
  it.each(doors)(
    'keeps nobody waiting with 300 slow sockets at $path, where 285 kept the gateway at 503',
    async ({ path, type }) => {
      const sockets = Array.from({ length: 300 }, () => slowSocket(path, type));
      try {
        await until('the sockets are open', () => sockets.every(({ pending }) => !pending) || undefined);
        const { sandbox } = scene.partners;
        const { reference } = await sandbox.accepted();
        const taken: number[] = [];
        for (let call = 0; call < 50; call++) {
          const begun = performance.now();
          expect((await sandbox.status({ referenceTransaction: reference })).status).toBe(200);
          taken.push(performance.now() - begun);
        }
        await operatorActor(scene.stack.info(), 'viewer');
        const p99 = taken.toSorted((a, b) => a - b)[Math.ceil(taken.length * 0.99) - 1] ?? 0;
        process.stdout.write(
          `a partner's status beside 300 slow sockets at ${path}: p99 ${p99.toFixed(0)} ms\n`,
        );
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    },
  );
});

describe('a page on another port of the host', () => {
  it('decides nothing with what a browser sends along: no cookie is a credential', async () => {
    const { baseUrl, trpcUrl } = scene.stack.info();
    const { token } = await operatorActor(scene.stack.info(), 'admin');
    const cookie = ['__Host-session', '__Host-access', 'session', 'access_token']
      .map((name) => `${name}=${token}`)
      .join('; ');
    const decide = (headers: Record<string, string>) =>
      fetch(`${trpcUrl}/reviews.approve`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ requestId: '01890a5d-ac96-774b-bcce-b302099a8057' }),
      });
    const origin = 'http://127.0.0.1:9999';
    expect((await decide({ cookie, origin, 'sec-fetch-site': 'same-site' })).status).toBe(401);
    // The same call with the token itself reaches the procedure.
    expect((await decide({ authorization: `Bearer ${token}` })).status).toBe(404);
    const preflight = await fetch(`${baseUrl}/trpc/reviews.approve`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
  });
});
