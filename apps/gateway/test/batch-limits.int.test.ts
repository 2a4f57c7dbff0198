import { expect, test } from 'vitest';
import { openBatch } from './support/batch-call.ts';
import { linkedPartnerBody } from './support/bodies.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const lineOf = (referenceTransaction: string) =>
  `${JSON.stringify(linkedPartnerBody({ referenceTransaction }))}\n`;

test('a line over the rate limit waits for its turn, where a call of its own is refused', {
  timeout: 120_000,
}, async () => {
  await using gateway = await testGateway({ RATE_LIMIT_PARTNER: '2' });
  const token = await gateway.token();
  const batch = openBatch(gateway.url, { token });
  await batch.send(lineOf('A-1') + lineOf('A-2') + lineOf('A-3'));
  batch.end();
  expect([(await batch.next())?.status, (await batch.next())?.status]).toEqual([200, 200]);
  const body = linkedPartnerBody({ referenceTransaction: 'A-4' });
  const alone = await call(`${gateway.url}/collector/linked-partner/request`, { token, body });
  expect(alone.status).toBe(429);
  expect(gateway.state.registered).toHaveLength(2);
  batch.abort();
});

test('a batch that brings nothing for its time ends, with what it had answered', {
  timeout: 60_000,
}, async () => {
  await using gateway = await testGateway({ BATCH_SILENCE_SECONDS: '1' });
  const batch = openBatch(gateway.url, { token: await gateway.token() });
  await batch.send(`${lineOf('A-1')}{"half":`);
  expect((await batch.rest()).map(({ line, status }) => [line, status])).toEqual([[1, 200]]);
  batch.abort();
});

test('a batch takes longer than any request may, and answers wait for their reader', {
  timeout: 120_000,
}, async () => {
  await using gateway = await testGateway({
    REQUEST_TIMEOUT_SECONDS: '1',
    PACE_SECONDS: '1',
    SLOWEST_BYTES_PER_SECOND: '100000',
  });
  const batch = openBatch(gateway.url, { token: await gateway.token() });
  const startedAt = performance.now();
  let sent = 0;
  while (performance.now() - startedAt < 5_000) {
    sent += 1;
    await batch.send(lineOf(`A-${sent}`));
    await expect.poll(() => gateway.state.registered.length).toBe(sent);
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  batch.end();
  await batch.response;
  // The looks for unread answers come twice in each second of pace.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(await batch.rest()).toHaveLength(sent);
});

test('a partner has eight batches open at once, and another one when one of them has ended', {
  timeout: 60_000,
}, async () => {
  await using gateway = await testGateway();
  const token = await gateway.token();
  const open = async () => {
    const batch = openBatch(gateway.url, { token });
    await batch.send(lineOf(`A-${Math.random()}`));
    return { ...batch, status: (await batch.response).statusCode };
  };
  const eight = await Promise.all(Array.from({ length: 8 }, open));
  expect(eight.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const beyond = await open();
  expect(beyond.status).toBe(429);
  const [first] = eight;
  first?.end();
  await first?.rest();
  await expect.poll(async () => (await open()).status, { timeout: 20_000 }).toBe(200);
});

test('a gateway that stops answers the lines it has taken and ends the batch', {
  timeout: 60_000,
}, async () => {
  const gateway = await testGateway();
  await using _gateway = gateway;
  const batch = openBatch(gateway.url, { token: await gateway.token() });
  await batch.send(lineOf('A-1'));
  expect((await batch.next())?.status).toBe(200);
  const stopped = gateway.stop();
  expect(await batch.rest()).toEqual([]);
  batch.abort();
  await stopped;
});

test('a service behind it that is down makes its lines 503, and the rest goes on', {
  timeout: 60_000,
}, async () => {
  await using gateway = await testGateway();
  const batch = openBatch(gateway.url, { token: await gateway.token() });
  await batch.send(lineOf('A-1'));
  expect((await batch.next())?.status).toBe(200);
  await gateway.stopIntake();
  await batch.send(`${lineOf('A-2')}{}\n7\n`);
  batch.end();
  const rest = await batch.rest();
  expect(rest.map(({ line }) => line)).toEqual([2, 3, 4]);
  expect(rest[0]).toMatchObject({ status: 503, retryAfter: expect.any(Number) });
  expect(rest[2]).toMatchObject({ status: 400, body: { code: 'BODY_MALFORMED' } });
});
