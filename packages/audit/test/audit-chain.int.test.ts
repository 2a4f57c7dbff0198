import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { holdAdvisoryLocks, scratchDirectory } from '@rubrica/testkit';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { auditCrashPoints } from '../src/log/audit-table.ts';
import { verifyAudit } from '../src/verification/verify-audit.ts';
import { type AuditGround, auditGround, auditTable, untilAllChained } from './support/audit.ts';
import { until } from './support/until.ts';

const { afterRead, afterChain, afterCheckpoint } = auditCrashPoints;
const places = async (ground: AuditGround) => (await ground.chained()).map(({ sequence }) => sequence);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('the chainer', () => {
  it('gives rows of before and after its start places without gaps, and signs and logs where it stands', async () => {
    await using ground = await auditGround();
    await ground.add(25);
    await using _ = ground.chainer({ batchRows: 10, checkpointRows: 10 });
    await untilAllChained(ground.database);
    await ground.add(5);
    await untilAllChained(ground.database);
    expect(await ground.chained()).toEqual(upTo(31).map((n) => ({ id: String(n), sequence: n })));
    const stored = await until(
      () =>
        ground.database.execute<{ jws: string; sequence: string }>(
          'select jws, sequence::text as sequence from audit_checkpoint order by sequence',
        ),
      (rows) => rows.at(-1)?.sequence === '31',
    );
    expect(ground.logged).toEqual(stored.map(({ jws }) => jws));
    expect(Math.max(...ground.logged.map(({ length }) => length))).toBeLessThanOrEqual(500);
  });

  it('signs after some time where few rows come, and not again where none came', async () => {
    await using ground = await auditGround();
    await using _ = ground.chainer({ checkpointSeconds: 0 });
    await until(
      () => ground.logged.length,
      (count) => count > 0,
    );
    const before = ground.logged.length;
    await ground.add(1);
    await until(
      () => ground.logged.length,
      (count) => count > before,
    );
    expect(ground.logged.length).toBe(before + 1);
  });

  it('runs in one copy of many, and another takes over', async () => {
    await using ground = await auditGround();
    const first = ground.chainer({ batchRows: 3 });
    await until(first.isActive, (active) => active);
    await using second = ground.chainer({ batchRows: 3 });
    const adding = Promise.all(upTo(20).map(() => ground.add(5)));
    await until(
      () => places(ground),
      (chained) => chained.length > 10,
    );
    expect(second.isActive()).toBe(false);
    await first[Symbol.asyncDispose]();
    await adding;
    await untilAllChained(ground.database);
    expect(second.isActive()).toBe(true);
    expect(await places(ground)).toEqual(upTo(101));
  });

  it('is missed by a copy that could not ask for a while, and no more once it runs', async () => {
    await using ground = await auditGround();
    const { database, appRole } = ground.service;
    const locks = `on ${ground.service.schema}.named_lock`;
    await database.query(`revoke all ${locks} from ${appRole}`);
    await using copy = ground.chainer({ ownerMissingAfterMs: 200 });
    await until(copy.hasOwner, (known) => !known);
    await database.query(`grant select, insert, update, delete ${locks} to ${appRole}`);
    await until(copy.isActive, Boolean);
    expect(copy.hasOwner()).toBe(true);
  });

  it('never leaves out a row that committed late, though later ones have their places', async () => {
    await using ground = await auditGround();
    const late = new pg.Client(ground.service.appUrl);
    await late.connect();
    await late.query('begin');
    const { rows } = await late.query(`insert into intake.audit (actor) values ('late') returning id::text`);
    await using _ = ground.chainer();
    await ground.add(3);
    await until(
      () => places(ground),
      (chained) => chained.length === 4,
    );
    await late.query('commit');
    await late.end();
    await untilAllChained(ground.database);
    expect((await ground.chained()).at(-1)).toEqual({ id: rows[0].id, sequence: 5 });
  });

  it.each([afterRead, afterChain, afterCheckpoint])('goes on where it was killed at %s', async (point) => {
    await using ground = await auditGround();
    await using crashpoints = await scratchDirectory('crashpoints');
    await writeFile(join(crashpoints.path, point), '');
    await ground.add(34);
    const { appUrl, schema } = ground.service;
    const child = fork(
      join(import.meta.dirname, 'support', 'crashing-chainer.ts'),
      [appUrl, schema, ground.keys.privatePem, ground.keys.kid],
      { env: { ...process.env, CRASHPOINT_DIR: crashpoints.path }, execArgv: [] },
    );
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    await ground.chainAll({ batchRows: 10, checkpointRows: 10 });
    expect(await places(ground)).toEqual(upTo(35));
    const stored = await ground.database.execute<{ jws: string }>(
      'select jws from audit_checkpoint order by sequence',
    );
    // The newest of the dead is logged by the living, so none is in the database alone.
    const afterCrash = stored.length - ground.logged.length;
    expect(afterCrash).toBeLessThanOrEqual(point === afterCheckpoint ? 0 : 1);
    expect(stored.slice(afterCrash).map(({ jws }) => jws)).toEqual(ground.logged);
  });
});

describe('two chainers that both take themselves for the active one', () => {
  const startProcess = ({ service, keys }: AuditGround) =>
    fork(
      join(import.meta.dirname, 'support', 'crashing-chainer.ts'),
      [service.appUrl, service.schema, keys.privatePem, keys.kid],
      { execArgv: [] },
    );
  const endSession = (ground: AuditGround) =>
    ground.service.database.query(
      `select pg_terminate_backend(session_pid) from intake.named_lock where name = 'audit chain'`,
    );
  const intact = { findings: [], next: null };
  const verify = (ground: AuditGround) => {
    const deps = { sql: ground.database, table: auditTable, keys: ground.keys };
    return verifyAudit(deps, { maxRows: 1_000 });
  };

  it('make one chain where the first was frozen until the second had taken over', async () => {
    await using ground = await auditGround();
    const child = startProcess(ground);
    await ground.add(12);
    await untilAllChained(ground.database);
    child.kill('SIGSTOP');
    await ground.add(12);
    await endSession(ground);
    await using second = ground.chainer({ batchRows: 5, checkpointRows: 5 });
    await untilAllChained(ground.database);
    await ground.add(12);
    child.kill('SIGCONT');
    await untilAllChained(ground.database);
    expect(second.isActive()).toBe(true);
    child.disconnect();
    await once(child, 'exit');
    expect(await places(ground)).toEqual(upTo(37));
    expect(await verify(ground)).toMatchObject(intact);
    expect(ground.broken).toEqual([]);
  });

  it('make one chain where the lock was taken from a session that lives', async () => {
    await using ground = await auditGround();
    await using first = ground.chainer({ batchRows: 3, checkpointRows: 3 });
    await until(first.isActive, Boolean);
    await ground.add(9);
    await untilAllChained(ground.database);
    // By nothing but hand: its session is listed, and holds the lock of the release before as well.
    const fence = async () => {
      const sql = `select fence::int as fence from intake.named_lock where name = 'audit chain'`;
      const [row] = await ground.service.database.query<{ fence: number }>(sql);
      return row?.fence ?? 0;
    };
    await ground.service.database.query(
      `update intake.named_lock set fence = fence + 1 where name = 'audit chain'`,
    );
    const taken = await fence();
    await ground.add(9);
    await until(fence, (now) => now > taken);
    await untilAllChained(ground.database);
    expect(await places(ground)).toEqual(upTo(19));
    expect(await verify(ground)).toMatchObject(intact);
    expect(ground.broken).toEqual([]);
  });
});

it('keeps the order of numbers, not of their text, in rows and checkpoints, over restarts', async () => {
  await using ground = await auditGround();
  for (let round = 0; round < 3; round += 1) {
    await ground.add(40);
    await ground.chainAll({ batchRows: 4, checkpointRows: 4 });
  }
  await ground.chainAll();
  const deps = { sql: ground.database, table: auditTable, keys: ground.keys };
  for (const from of [1, 9, 10, 11, 99, 100, 101]) {
    expect(await verifyAudit(deps, { from, maxRows: 1_000 })).toMatchObject({ findings: [], next: null });
  }
  expect(await places(ground)).toEqual(upTo(121));
});

describe('a chain that was tampered with', () => {
  it.each([
    ['a running chainer', 'its last row', false, 'delete from intake.audit where chain_sequence = 5'],
    [
      'a new copy',
      'a signed row',
      true,
      `update intake.audit set hash = sha256('x') where chain_sequence = 5`,
    ],
  ])('is not built on: %s that misses %s stops, says so, and leaves rows without places', async (...args) => {
    const [, , isNewCopy, tampering] = args;
    await using ground = await auditGround();
    await ground.add(4);
    let running = ground.chainer({ checkpointRows: 5 });
    await until(
      () => ground.logged.length,
      (count) => count > 0,
    );
    if (isNewCopy) await running[Symbol.asyncDispose]();
    await ground.tamper(tampering);
    await ground.add(1);
    if (isNewCopy) running = ground.chainer();
    await using _ = running;
    await until(
      () => ground.broken.length,
      (count) => count > 0,
    );
    expect(running.isActive()).toBe(false);
    expect((await ground.chained()).length).toBeLessThanOrEqual(5);
    expect(await ground.database.execute('select 1 from audit where chain_sequence is null')).toHaveLength(1);
  });
});

describe('the audit table', () => {
  it('takes rows from the service, and no change, no removal and no place of its making', async () => {
    await using ground = await auditGround();
    await ground.add(2);
    await ground.chainAll({ checkpointRows: 1 });
    const asService = (sql: string) => ground.database.execute(sql);
    for (const change of [
      `update audit set actor = 'x'`,
      'delete from audit',
      'truncate audit',
      'delete from audit_checkpoint',
      `update audit_checkpoint set kid = 'x'`,
      `insert into audit (actor, chain_sequence, chain_version, previous_hash, hash)
        values ('x', 99, 1, '\\x00', '\\x00')`,
      // The number says what came after what.
      `insert into audit (id, actor) overriding system value values (1000, 'x')`,
    ]) {
      await expect(asService(change), change).rejects.toThrow(/permission denied/);
    }
    await expect(asService('update audit set hash = null where id = 1')).rejects.toThrow(/never changed/);
    await expect(asService(`update audit set hash = '\\x00' where id = 1`)).rejects.toThrow(/never changed/);
  });

  it('refuses its owner too, who must first take the guards away', async () => {
    await using ground = await auditGround();
    await ground.add(1);
    const owner = new pg.Client({ connectionString: ground.service.ownerUrl });
    await owner.connect();
    for (const change of [
      `update audit set actor = 'x', chain_sequence = 1, chain_version = 1, previous_hash = '\\x00', hash = '\\x00'`,
      `insert into audit (actor, chain_sequence, chain_version, previous_hash, hash)
        values ('x', 99, 1, '\\x00', '\\x00')`,
      `update audit set actor = 'x'`,
      'delete from audit',
      'truncate audit',
      'truncate audit_checkpoint',
    ]) {
      await expect(owner.query(change), change).rejects.toThrow(/never changed/);
    }
    await owner.end();
  });
});

it('gives rows their places while the role of another service holds the advisory lock of release 0.1.0', async () => {
  await using ground = await auditGround();
  await using _held = await holdAdvisoryLocks(ground.service.database, ['rubrica audit intake']);
  await ground.add(3);
  await using _chainer = ground.chainer();
  await untilAllChained(ground.database);
  expect((await ground.chained()).length).toBe(4);
});
