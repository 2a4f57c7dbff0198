import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { queryStack } from '../e2e/support/ledger.ts';
import { openScene } from '../e2e/support/scene.ts';
import { say } from './support/say.ts';
import { killWithBackends, synchronousReplica } from './support/stream-replica.ts';
import { drillUnderLoad } from './support/under-load.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

it('with a synchronous replica nothing accepted is lost or doubled when the primary dies', async () => {
  say('all services as processes, PostgreSQL with a replica that every commit waits for');
  await using scene = await openScene();
  const { stack } = scene;
  const { databaseUrl } = stack.info();
  await using replica = await synchronousReplica(databaseUrl);
  await drillUnderLoad(scene, {
    inFlight: 24,
    faults: [
      {
        what: 'the primary dies, the replica is promoted and gets its address',
        happens: async () => {
          await killWithBackends(stack.postgres);
          await replica.promote();
          await replica.takeAddress(Number(new URL(databaseUrl).port));
        },
      },
    ],
  });
  const [written] = await queryStack<{ file: string }>(
    stack,
    'select pg_walfile_name(pg_current_wal_lsn()) as file',
  );
  // The first eight digits are the timeline: a promotion begins the next.
  expect(written?.file).toMatch(/^00000002/);
  await run(process.execPath, ['packages/stack/src/cli.ts', 'audit', 'verify'], {
    cwd: root,
    env: { ...process.env, RUBRICA_HOME: stack.home },
  });
  say('the audit chains verify, on the second timeline');
});
