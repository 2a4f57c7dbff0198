import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { connectBus, createBusClient } from '@rubrica/bus';
import { disposeAfterAll, pollFor, testGround } from '@rubrica/testkit';
import { fakeClient } from '@rubrica/testkit/fakes';
import { freePort, shiftedClock } from '@rubrica/testkit/processes';
import type { OperatorRowsRouter } from '@rubrica/wiring';
import { describe, expect, it } from 'vitest';
import { operator } from './support/callers.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const provisioned = { main: new URL('../src/main.ts', import.meta.url) };
const ground = await disposeAfterAll(testGround('terms', { provisioned }));

/** A process of the service on a machine whose clock is off by so much. */
async function copyOffBy(aheadMs: number) {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts')], {
    env: {
      ...ground.env,
      MANAGEMENT_PORT: String(port),
      LOG_LEVEL: 'info',
      ...shiftedClock(aheadMs),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => void said.push(chunk));
  const exited = once(child, 'exit');
  const readiness = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    const { checks } = (await answer.json()) as { checks: Record<string, string> };
    return { status: answer.status, checks };
  };
  await pollFor(async () => (await readiness()).checks.service === 'ok', { what: 'the copy has started' });
  return {
    readiness,
    log: () => said.join(''),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Asks as the gateway, with a token that was signed so long ago; the outcome is `answered` or a code. */
async function askWithTokenOf(agoMs: number): Promise<string> {
  const gateway = await ground.peer('gateway');
  await using bus = await connectBus(gateway);
  const client = fakeClient(createBusClient<OperatorRowsRouter<'terms'>>, bus, ['ops', 'terms'], {
    self: 'gateway',
    keys: { ...gateway.keys, nowMs: () => Date.now() - agoMs },
    caller: operator('admin'),
  });
  return await client.terms.list.query({}).then(
    () => 'answered',
    (error: { data?: { code?: string } }) => error.data?.code ?? 'nothing',
  );
}

describe.each([
  ['ahead of', HOUR_MS],
  ['behind', -HOUR_MS],
])('a copy whose clock is an hour %s PostgreSQL', (side, aheadMs) => {
  it('is not ready, says so, and judges no token, by neither clock', async () => {
    await using copy = await copyOffBy(aheadMs);
    expect(await copy.readiness()).toEqual({
      status: 503,
      checks: {
        service: 'ok',
        database: 'ok',
        nats: 'ok',
        clock: expect.stringMatching(`^3\\d{3} s ${side} PostgreSQL$`),
      },
    });
    expect(copy.log()).toContain('clock deviation detected');
    // By the copy's own clock one of the last two would be in force, by PostgreSQL's the first.
    for (const agoMs of [0, HOUR_MS, -HOUR_MS])
      expect(await askWithTokenOf(agoMs)).toBe('SERVICE_UNAVAILABLE');
  });
});

describe.each([10_000, -10_000])('a copy whose clock is off by %i ms', (aheadMs) => {
  it("serves, and judges by PostgreSQL's time", async () => {
    await using copy = await copyOffBy(aheadMs);
    expect(await copy.readiness()).toMatchObject({ status: 200, checks: { clock: 'ok' } });
    expect(await askWithTokenOf(0)).toBe('answered');
    // A call token lives 5 s. By the copy's own clock the first would have ended, or the second be in force.
    await pollFor(async () => (await askWithTokenOf(2_000)) === 'answered');
    expect(await askWithTokenOf(6_000)).toBe('UNAUTHORIZED');
  });
});
