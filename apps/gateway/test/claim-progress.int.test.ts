import { AppError } from '@rubrica/process/errors';
import { disposeAfterAll } from '@rubrica/testkit';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { claimView, createFakeClaim, issued, requestId } from './support/fake-claims.ts';
import { testGateway } from './support/gateway.ts';

const gateway = await disposeAfterAll(testGateway({ CLAIM_PROGRESS_STREAMS: '5' }));

afterAll(async () => {
  // Streams whose readers have gone hold nothing up.
  expect((await gateway.stop()).faults).toEqual([]);
});
beforeEach(() => {
  const { token: _token, ...fresh } = createFakeClaim();
  Object.assign(gateway.state.claim, fresh, { view: claimView({ state: 'IN_PROGRESS' }) });
});

function open(signal?: AbortSignal) {
  return fetch(`${gateway.url}/claim/${gateway.state.claim.token}/progress`, {
    headers: { accept: 'text/event-stream' },
    ...(signal ? { signal } : {}),
  });
}

/** Two looks: the one that answers, and the one that closes the gap before the listening began. */
function isWatched() {
  return expect
    .poll(() => gateway.state.claim.calls.filter((name) => name === 'view').length)
    .toBeGreaterThan(1);
}

test('the stream tells the state, then the next one as the certificate is made, and ends; nothing else', async () => {
  const answer = await open();
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const text = answer.text();
  await isWatched();
  // Intake stores it a moment after the event arrives.
  gateway.bus.nc.publish('live.events.certificate.issued', JSON.stringify({ requestId }));
  gateway.state.claim.view = claimView(issued());
  expect((await text).replaceAll(':\n\n', '')).toBe('retry: 3000\n\ndata: IN_PROGRESS\n\ndata: ISSUED\n\n');
});

test('the stream tells that the issuance has stopped, and ends', async () => {
  const text = (await open()).text();
  await isWatched();
  gateway.state.claim.view = claimView({ state: 'IN_PROGRESS', obstacle: 'ERROR' });
  gateway.bus.nc.publish('live.events.certificate.issued', JSON.stringify({ requestId }));
  expect((await text).replaceAll(':\n\n', '')).toBe('retry: 3000\n\ndata: IN_PROGRESS\n\ndata: ERROR\n\n');
});

test('the stream goes on while a person reviews the request', async () => {
  gateway.state.claim.view = claimView({ state: 'IN_PROGRESS', obstacle: 'REVIEW' });
  const text = (await open()).text();
  await isWatched();
  gateway.state.claim.view = claimView(issued());
  gateway.bus.nc.publish('live.events.certificate.issued', JSON.stringify({ requestId }));
  expect(await text).toContain('data: REVIEW\n\ndata: ISSUED\n\n');
});

test.each(['CLAIM_LINK_EXPIRED', 'CLAIM_LINK_INVALID'] as const)(
  'the stream of a link that has died meanwhile ends, so that the page shows why: %s',
  async (code) => {
    const text = (await open()).text();
    await isWatched();
    gateway.state.claim.failures.view = [new AppError({ code })];
    gateway.bus.nc.publish('live.events.certificate.issued', JSON.stringify({ requestId }));
    expect(await text).toContain('data: ENDED\n\n');
  },
);

test('events of others, and what is no event, change nothing', async () => {
  const given = new AbortController();
  await open(given.signal);
  await isWatched();
  const looks = gateway.state.claim.calls.length;
  gateway.bus.nc.publish('live.events.certificate.issued', 'no JSON');
  gateway.bus.nc.publish('live.events.certificate.issued', JSON.stringify({ requestId: 'another' }));
  await gateway.bus.nc.flush();
  const other = await fetch(`${gateway.url}/health`);
  expect(other.status).toBe(200);
  expect(gateway.state.claim.calls.length).toBe(looks);
  given.abort();
});

test('intake away for a moment does not end the stream', async () => {
  const text = (await open()).text();
  await isWatched();
  gateway.state.claim.failures.view = [new AppError({ code: 'SERVICE_UNAVAILABLE' })];
  gateway.state.claim.view = claimView(issued());
  gateway.bus.nc.publish('live.events.certificate.issued', JSON.stringify({ requestId }));
  expect(await text).toContain('data: ISSUED');
});

test('a link has few streams at once, and those that end make room', async () => {
  const given = new AbortController();
  const statuses: number[] = [];
  for (let index = 0; index < 5; index += 1) statuses.push((await open(given.signal)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 503]);
  given.abort();
  await expect
    .poll(async () => {
      const one = new AbortController();
      const { status } = await open(one.signal);
      one.abort();
      return status;
    })
    .toBe(200);
});

test('stopping ends the streams instead of waiting for them', async () => {
  await using own = await testGateway();
  own.state.claim.view = claimView({ state: 'IN_PROGRESS' });
  const answer = await fetch(`${own.url}/claim/${own.state.claim.token}/progress`);
  const text = answer.text();
  const { faults } = await own.stop();
  expect(faults).toEqual([]);
  expect(await text).toContain('data: IN_PROGRESS');
});
