import { describe, expect, it } from 'vitest';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const HOUR_MS = 3_600_000;
const statusPath = '/middleware/signature-request/status?referenceTransaction=TX-1';

describe.each([
  ['behind', HOUR_MS],
  ['ahead of', -HOUR_MS],
])('a gateway whose clock is an hour %s intake', (side, intakeAheadMs) => {
  it('is not ready, says so, and judges no token', async () => {
    await using gateway = await testGateway({}, intakeAheadMs);
    const { ready, checks } = await gateway.health.readiness();
    expect(ready).toBe(false);
    expect(checks.clock).toBe(`3600 s ${side} intake`);
    expect((await call(`${gateway.url}/health`)).status).toBe(503);
    const token = await gateway.token();
    expect((await call(`${gateway.url}${statusPath}`, { token })).status).toBe(503);
  });
});

describe('a token of an hour ago by the time of intake', () => {
  it("is not let in by the gateway's own clock: while they are apart nothing is judged", async () => {
    await using gateway = await testGateway();
    const token = await gateway.token();
    const ask = () => call(`${gateway.url}${statusPath}`, { token });
    expect((await ask()).status).toBe(200);
    gateway.clock.follow({ name: 'intake', read: async () => Date.now() + HOUR_MS });
    await expect.poll(() => gateway.clock.isRight()).toBe(false);
    expect((await ask()).status).toBe(503);
  });
});

describe('a gateway whose clock is ten seconds off', () => {
  it('serves', async () => {
    await using gateway = await testGateway({}, 10_000);
    expect((await gateway.health.readiness()).checks.clock).toBe('ok');
    const token = await gateway.token();
    expect((await call(`${gateway.url}${statusPath}`, { token })).status).toBe(200);
    expect((await call(`${gateway.url}/health`)).status).toBe(200);
  });
});
