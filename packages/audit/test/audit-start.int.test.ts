import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchDirectory } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { defaultTuning } from '../src/chain/chainer-options.ts';
import { auditCrashPoints } from '../src/log/audit-table.ts';
import { verifyAudit } from '../src/verification/verify-audit.ts';
import { type AuditGround, auditGround, auditTable, untilAllChained } from './support/audit.ts';
import { until } from './support/until.ts';

/** As before the first chainer of this table. */
async function emptyGround(): Promise<AuditGround> {
  const ground = await auditGround();
  await empty(ground);
  return ground;
}

const empty = (ground: AuditGround) =>
  ground.tamper('delete from intake.audit', 'delete from intake.audit_checkpoint');

interface Row {
  readonly place: number | null;
  readonly actor: string;
  readonly action: string | null;
  /** Of the time at which the row was written, by its own word. */
  readonly age: number;
}

const rows = (ground: AuditGround) =>
  ground.database.execute<Row>(
    `select chain_sequence::int as place, actor, details ->> 'action' as action,
       extract(epoch from clock_timestamp() - at)::float8 as age from audit order by chain_sequence`,
  );
const startOf = { place: 1, actor: 'service:intake', action: 'audit.start' };

const checkpoints = (ground: AuditGround) =>
  ground.database.execute<{ place: number; at: Date }>(
    'select sequence::int as place, at from audit_checkpoint order by sequence',
  );

describe('the beginning of a chain', () => {
  it('is an entry itself, before all rows that wait, chained, signed and logged', async () => {
    await using ground = await emptyGround();
    await ground.add(3);
    await ground.chainAll();
    expect(await rows(ground)).toMatchObject([startOf, { place: 2 }, { place: 3 }, { place: 4 }]);
    expect(ground.started).toEqual([1]);
    expect(ground.logged).toHaveLength(1);
    const deps = { sql: ground.database, table: auditTable, keys: ground.keys };
    expect(await verifyAudit(deps, { maxRows: 100 })).toMatchObject({
      rows: 4,
      checkpoints: 1,
      findings: [],
    });
  });

  it('is written once, whatever copies start at the same time or later', async () => {
    await using ground = await emptyGround();
    for (let round = 0; round < 3; round += 1) {
      await using _ = ground.chainer();
      await using __ = ground.chainer();
      await ground.add(2);
      await untilAllChained(ground.database);
    }
    const starts = (await rows(ground)).filter(({ action }) => action === startOf.action);
    expect(starts).toMatchObject([startOf]);
    expect(ground.started).toEqual([1]);
  });

  it('is whole or not there after a crash in the middle of it', async () => {
    await using ground = await emptyGround();
    await using crashpoints = await scratchDirectory('crashpoints');
    await writeFile(join(crashpoints.path, auditCrashPoints.duringStart), '');
    const { appUrl, schema } = ground.service;
    const child = fork(
      join(import.meta.dirname, 'support', 'crashing-chainer.ts'),
      [appUrl, schema, ground.keys.privatePem, ground.keys.kid],
      { env: { ...process.env, CRASHPOINT_DIR: crashpoints.path }, execArgv: [] },
    );
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(await rows(ground)).toEqual([]);
    await ground.add(1);
    await ground.chainAll();
    expect(await rows(ground)).toMatchObject([startOf, { place: 2 }]);
  });

  it('cannot be hidden by an owner who empties log and checkpoints, and plants an entry of long ago', async () => {
    await using ground = await auditGround();
    await ground.add(5);
    await ground.chainAll();
    await empty(ground);
    await ground.tamper(`insert into intake.audit (at, actor, details)
      values ('2001-01-01', 'service:intake', '{"action": "audit.start"}')`);
    await ground.chainAll();
    const [first, planted] = await rows(ground);
    expect(first).toMatchObject(startOf);
    expect(first?.age).toBeLessThan(3_600);
    expect(planted).toMatchObject({ ...startOf, place: 2 });
    expect(ground.started).toEqual([1]);
  });

  it('does not come about while a copy runs that knows the chain before', async () => {
    await using ground = await auditGround();
    await ground.add(5);
    await using _ = ground.chainer();
    await untilAllChained(ground.database);
    await empty(ground);
    await ground.add(1);
    await until(
      () => ground.broken,
      (lines) => lines.length > 0,
    );
    expect(ground.started).toEqual([]);
    expect(await ground.chained()).toEqual([]);
  });
});

describe('checkpoints', () => {
  it('are due within a minute of any row, as services set them', () => {
    const { checkpointSeconds, pollMs } = defaultTuning;
    expect(checkpointSeconds * 1_000 + 2 * pollMs).toBeLessThan(60_000);
  });

  it('are signed in time while rows trickle in, however few', async () => {
    await using ground = await auditGround();
    await using _ = ground.chainer({ checkpointSeconds: 1 });
    await until(() => ground.logged.length, Boolean);
    const since = performance.now();
    // Fewer than the rows that would make one due.
    for (let rowsAdded = 0; ground.logged.length < 4 && rowsAdded < 500; rowsAdded += 1) {
      await ground.add(1);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(ground.logged).toHaveLength(4);
    // Three times a second; a loaded machine may take longer.
    expect(performance.now() - since).toBeGreaterThan(2_500);
    expect(performance.now() - since).toBeLessThan(9_000);
  });

  it('are signed by a copy that stops, for what it has chained', async () => {
    await using ground = await auditGround();
    {
      await using chainer = ground.chainer();
      await until(() => ground.logged.length, Boolean);
      await ground.add(3);
      await untilAllChained(ground.database);
      expect(chainer.isActive()).toBe(true);
      expect(ground.logged).toHaveLength(1);
    }
    expect((await checkpoints(ground)).map(({ place }) => place)).toEqual([1, 4]);
  });

  it('are not put off by a copy whose clock was an hour ahead', async () => {
    await using ground = await auditGround();
    await ground.add(1);
    {
      await using _ = ground.chainer({}, { clock: () => new Date(Date.now() + 3_600_000) });
      await untilAllChained(ground.database);
    }
    expect((await checkpoints(ground)).map(({ place }) => place)).toEqual([2]);
    await using _ = ground.chainer({ checkpointSeconds: 1 });
    await ground.add(1);
    const stored = await until(
      () => checkpoints(ground),
      (found) => found.length > 1,
    );
    expect(stored.at(-1)?.place).toBe(3);
  });
});
