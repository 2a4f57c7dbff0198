import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { services } from '@rubrica/contracts/shared/enumerations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backlog, certificatesOf, deadLetters, jobBacklogs } from '../support/ledger.ts';
import { until } from '../support/poll.ts';
import { type OwnScene, openScene } from '../support/scene.ts';
import { keepInFlight } from '../support/traffic.ts';

let scene: OwnScene;

beforeAll(async () => {
  scene = await openScene({ copies: { intake: 2, generation: 2, notifier: 2 } });
});
afterAll(() => scene?.[Symbol.asyncDispose]());

const isGone = (path: string) =>
  access(path).then(
    () => undefined,
    () => true as const,
  );

describe('with 200 requests in flight, every service, the relay and nats-server killed in turn', () => {
  it('every accepted request ends with one certificate and one event', { timeout: 600_000 }, async () => {
    const { stack, partners } = scene;
    const { sandbox } = partners;
    const traffic = keepInFlight(sandbox, 200);
    const kills: [string, () => Promise<unknown>][] = [
      ...services.map((name): [string, () => Promise<unknown>] => [name, () => stack.services[name].kill()]),
      [
        'relay',
        async () => {
          const armed = join(stack.crashpointDir, 'relay-after-publish-before-mark');
          await writeFile(armed, '');
          await until('the relay’s crash point', () => isGone(armed));
        },
      ],
      ['nats', async () => stack.nats?.kill().then(() => stack.nats?.restart())],
    ];
    for (const [name, kill] of kills) {
      await traffic.advance(15);
      expect(traffic.inFlight(), `in flight when ${name} is killed`).toBeGreaterThan(100);
      await kill();
    }
    await traffic.advance(15);
    await traffic.finish();

    const certificates = await certificatesOf(stack);
    expect(traffic.accepted.filter(({ requestId }) => certificates.get(requestId) !== 1)).toEqual([]);
    expect(certificates.size).toBe(traffic.accepted.length);
    for (const { reference } of traffic.accepted) await sandbox.reaches(reference, 'GENERATED');
    const events = Map.groupBy(sandbox.allEvents(), ({ body }) => body.referenceTransaction);
    for (const { reference } of traffic.accepted) {
      const received = events.get(reference) ?? [];
      expect(new Set(received.map(({ id }) => id)).size).toBe(1);
      expect(new Set(received.map(({ raw }) => raw)).size).toBe(1);
    }
    expect(sandbox.faults()).toEqual([]);
    let backlogs: Backlog[] = [];
    await until(
      'nothing left to do',
      async () => {
        backlogs = await jobBacklogs(stack);
        return backlogs.every(({ pending, unacknowledged }) => pending + unacknowledged === 0) || undefined;
      },
      { deadlineMs: 150_000, seen: () => backlogs },
    );
    expect(await deadLetters(stack)).toBe(0);
  });
});
