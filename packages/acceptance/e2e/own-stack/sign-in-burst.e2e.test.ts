import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { disposeAfterAll } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { openScene } from '../support/scene.ts';

// A slow machine has time for each call: a 503 then means that there was no room.
const scene = await disposeAfterAll(
  openScene({ env: { RATE_LIMIT_TOKEN: '30', RPC_TIMEOUT_SECONDS: '60' } }),
);

interface Refusal {
  readonly error: { readonly data: { readonly appCode: string } };
}

/** Calls a public procedure from an address of the loopback. */
async function post(path: string, input: object, localAddress: string) {
  const url = `${scene.stack.info().trpcUrl}/${path}`;
  const call = request(url, {
    method: 'POST',
    localAddress,
    agent: false,
    headers: { 'content-type': 'application/json' },
  });
  call.end(JSON.stringify(input));
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  return {
    status: answer.statusCode ?? 0,
    retryAfter: answer.headers['retry-after'],
    body: (await json(answer)) as Refusal,
  };
}

it('a burst of sign-ins within every limit is answered 401 or 429, and costs nobody else a call', async () => {
  const { sandbox } = scene.partners;
  const { reference } = await sandbox.accepted();
  const answers = Array.from({ length: 336 }, (_, n) => {
    const input = { email: `operator-${n}@example.com`, password: 'not the password' };
    return post('auth.signIn', input, `127.77.0.${1 + (n % 12)}`);
  });
  const burst = { isOver: false };
  const signIns = Promise.all(answers).finally(() => {
    burst.isOver = true;
  });
  const ofPartner: number[] = [];
  const ofPasskeys: number[] = [];
  do {
    ofPartner.push((await sandbox.status({ referenceTransaction: reference })).status);
    ofPasskeys.push(
      (await post('auth.passkeyOptions', {}, `127.78.0.${1 + (ofPasskeys.length % 200)}`)).status,
    );
  } while (!burst.isOver);
  expect(new Set(ofPartner)).toEqual(new Set([200]));
  expect(new Set(ofPasskeys)).toEqual(new Set([200]));
  const answered = await signIns;
  expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([401, 429]));
  for (const { status, retryAfter, body } of answered) {
    expect(body.error.data.appCode).toBe(status === 401 ? 'UNAUTHENTICATED' : 'RATE_LIMITED');
    if (status === 429) expect(Number(retryAfter)).toBeGreaterThan(0);
  }
  process.stdout.write(
    `sign-ins: ${answered.filter(({ status }) => status === 401).length} judged of ${answered.length}; meanwhile ${ofPartner.length} calls of a partner\n`,
  );
});
