import { expect, test } from 'vitest';
import { linkedPartnerBody } from './support/bodies.ts';
import { partner } from './support/fake-state.ts';
import { type TestGateway, testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';
import { openBody, slowBody } from './support/slow-body.ts';

const termsPath = '/gateway/collector/terms-and-conditions/by-type?type=TRADITIONAL_SIGNATURE';
const statusPath = '/middleware/signature-request/status?referenceTransaction=TX-1';

test('calls beyond a limit are 429 with RateLimit headers and Retry-After, each kind counted for itself', async () => {
  await using gateway = await testGateway({
    RATE_LIMIT_PARTNER: '3',
    RATE_LIMIT_ADDRESS: '2',
    RATE_LIMIT_TOKEN: '4',
  });
  const token = await gateway.token();
  const statuses = async (path: string, count: number, options = {}) => {
    const answers = [];
    for (let index = 0; index < count; index += 1) answers.push(await call(gateway.url + path, options));
    return answers;
  };
  const byPartner = await statuses(statusPath, 4, { token });
  expect(byPartner.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(byPartner[0]?.headers.get('ratelimit-limit')).toBe('3');
  expect(byPartner[0]?.headers.get('ratelimit-remaining')).toBe('2');
  expect(byPartner[3]?.error().code).toBe('RATE_LIMITED');
  expect(Number(byPartner[3]?.headers.get('retry-after'))).toBeGreaterThan(0);

  expect((await statuses(termsPath, 3)).map(({ status }) => status)).toEqual([200, 200, 429]);
  const guesses = await statuses(statusPath, 3, { token: 'rbk_guess' });
  expect(guesses.map(({ status }) => status)).toEqual([401, 401, 429]);

  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: partner.clientId,
    client_secret: 'x',
  });
  const signIns = await statuses('/oauth/token', 4, { body });
  expect(signIns.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
  expect(signIns[3]?.error()).toMatchObject({ code: 'RATE_LIMITED', error: 'Too Many Requests' });
});

test('origins that are listed may call from a browser, others not', async () => {
  await using gateway = await testGateway({ CORS_ORIGINS: 'https://dash.example, https://b.example' });
  const preflight = (origin: string) =>
    call(`${gateway.url}/trpc/overview`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
  const allowed = await preflight('https://dash.example');
  expect(allowed.status).toBe(204);
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://dash.example');
  expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
});

test('a partner whose bodies fill half of the memory for all is asked to come back', async () => {
  await using gateway = await testGateway({ BUFFERED_LIMIT_BYTES: '1048576' });
  const token = await gateway.token();
  const held = Array.from({ length: 8 }, () => slowBody(gateway.url, token));
  for (const one of held) await one.send(openBody(linkedPartnerBody()) + 'A'.repeat(250_000));
  const { status, retryAfter } = await Promise.race(held.map((one) => one.answer));
  expect(status).toBe(429);
  expect(retryAfter).toBe('5');
  for (const one of held) one.abort();
  const small = linkedPartnerBody({ extra: 'x'.repeat(100_000) });
  const register = async () =>
    (await call(`${gateway.url}/collector/linked-partner/request`, { token, body: small })).status;
  await expect.poll(register).toBe(200);
  for (let index = 0; index < 12; index += 1) expect(await register()).toBe(200);
});

test('without the bus the gateway says so, to partners and to the platform', async () => {
  await using gateway = await testGateway();
  const token = await gateway.token();
  await gateway.nats.kill();
  await expect.poll(async () => (await call(`${gateway.url}/health`)).status).toBe(503);
  expect((await gateway.health.readiness()).checks).toMatchObject({ nats: 'failed' });
  const answer = await call(gateway.url + statusPath, { token });
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).not.toBeNull();
  expect(answer.error().code).toBe('SERVICE_UNAVAILABLE');
});

test('a service without a running copy is 503, not 500', async () => {
  await using gateway = await testGateway();
  const token = await gateway.token();
  await gateway.stopIntake();
  const answer = await call(`${gateway.url}/collector/linked-partner/request`, {
    token,
    body: linkedPartnerBody(),
  });
  expect(answer.status).toBe(503);
  expect(answer.error().code).toBe('SERVICE_UNAVAILABLE');
  expect(whyNotServed(gateway)).toContainEqual(
    expect.objectContaining({
      type: 'TRPCClientError',
      message: 'Nobody serves this subject right now',
      call: 'requests.register',
    }),
  );
});

/** An error of the log with what caused it. */
function causesOf(err: unknown): unknown[] {
  const { cause } = (err ?? {}) as { cause?: unknown };
  return cause === undefined ? [err] : [err, ...causesOf(cause)];
}

/** What the log says of each call that could not be served. */
function whyNotServed({ lines }: TestGateway): unknown[] {
  return lines
    .map((line) => JSON.parse(line) as { message: string; err?: unknown })
    .filter(({ message }) => message === 'request not served')
    .flatMap(({ err }) => causesOf(err));
}

test('stopping answers the calls that are running and takes no new ones', async () => {
  await using gateway = await testGateway();
  const token = await gateway.token();
  const running = Array.from({ length: 20 }, () =>
    call(`${gateway.url}/collector/linked-partner/request`, { token, body: linkedPartnerBody() }),
  );
  await expect.poll(() => gateway.state.registered.length).toBeGreaterThan(0);
  const settling = Promise.allSettled(running);
  const { faults } = await gateway.stop();
  expect(faults).toEqual([]);
  const settled = await settling;
  const answered = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value.status] : []));
  expect(answered.length).toBeGreaterThan(0);
  expect(new Set(answered)).toEqual(new Set([200]));
  await expect(call(`${gateway.url}/health`)).rejects.toThrow();
});
