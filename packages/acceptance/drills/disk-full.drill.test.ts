import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeEvidence, makeReference } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { queryStack } from '../e2e/support/ledger.ts';
import { until } from '../e2e/support/poll.ts';
import { openScene } from '../e2e/support/scene.ts';
import { say } from './support/say.ts';
import { moveToSmallDisk, type SmallDisk } from './support/small-disk.ts';
import { drillUnderLoad } from './support/under-load.ts';

const fullForMs = 15_000;
/** Large enough for the object store: smaller files are kept in their rows. */
const scan = makeEvidence(400_000);

it('disks of PostgreSQL and nats-server run full: refused in clear words, and nothing accepted is lost', async () => {
  await using resources = new AsyncDisposableStack();
  const scene = await openScene();
  // Of all that is used here the disks are given back last: the servers write until they have ended.
  const disks = new AsyncDisposableStack();
  resources.defer(async () => {
    await scene[Symbol.asyncDispose]();
    await disks.disposeAsync();
  });
  const { stack, partners } = scene;
  const database = disks.use(await onSmallDisk(stack.postgres, await dataDirectory()));
  const streams = disks.use(await onSmallDisk(stack.nats, join(stack.home, 'nats', 'jetstream')));
  say('PostgreSQL and nats-server run on disks with little room');

  async function onSmallDisk(server: typeof stack.postgres | undefined, folder: string): Promise<SmallDisk> {
    if (server === undefined) throw new Error('this stack runs no server of its own');
    await server.kill('SIGINT');
    const disk = await moveToSmallDisk(folder, { spareMb: 96 });
    await server.restart();
    return disk;
  }

  async function dataDirectory(): Promise<string> {
    const [row] = await queryStack<{ data_directory: string }>(stack, 'show data_directory');
    return row?.data_directory ?? '';
  }

  const register = (overrides: object) =>
    partners.sandbox.register({ ...overrides, referenceTransaction: makeReference() }).catch(() => undefined);

  async function refusedClearly(overrides: object): Promise<void> {
    const answer = await until('a refusal', async () => {
      const one = await register(overrides);
      return one === undefined || one.status === 200 ? undefined : one;
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }

  await drillUnderLoad(scene, {
    inFlight: 24,
    faults: [
      {
        what: `PostgreSQL's disk is full for ${fullForMs / 1_000} s`,
        happens: async () => {
          await database.fill();
          await refusedClearly({});
          await delay(fullForMs);
          await refusedClearly({});
          await database.free();
        },
      },
      {
        what: `the streams' disk is full for ${fullForMs / 1_000} s`,
        happens: async () => {
          await streams.fill();
          await refusedClearly({ evidences: [scan] });
          await delay(fullForMs);
          await streams.free();
          await until('a large file taken again', async () => {
            const answer = await register({ evidences: [scan] });
            return answer?.status === 200 || undefined;
          });
        },
      },
    ],
  });
});
