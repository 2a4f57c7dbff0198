import { createDatabase } from '@rubrica/database/connection';
import { expect, it } from 'vitest';
import { adoptAuditEntries } from '../src/entries/adopt-entries.ts';
import { verifyAudit } from '../src/verification/verify-audit.ts';
import { type AuditGround, auditGround, auditTable, entries, untilAllChained } from './support/audit.ts';
import { quiet } from './support/quiet.ts';

/** With the rights of the service's role in the database, and without its keys. */
const asRole = ({ database }: AuditGround, sql: string, params?: unknown[]) => database.execute(sql, params);

async function found({ database: sql, keys }: AuditGround) {
  const { findings } = await verifyAudit({ sql, table: auditTable, keys, entries }, { maxRows: 1_000 });
  return findings.map(({ kind, sequence, id }) => [kind, sequence, id]);
}

it('an entry in another’s name is chained, raises its alarm and is named', async () => {
  await using ground = await auditGround();
  await ground.add(1);
  await asRole(ground, `insert into audit (actor, details) values ('operator:b@b.ec', '{"n": 1}')`);
  await ground.add(1);
  await ground.chainAll();
  expect(ground.alarms).toEqual(['audit 3']);
  expect(await found(ground)).toEqual([['not-authentic', 3, '3']]);
});

it('an entry that has no place yet is named too', async () => {
  await using ground = await auditGround();
  await asRole(ground, `insert into audit (actor) values ('operator:b@b.ec')`);
  expect(await found(ground)).toEqual([['not-authentic', null, '2']]);
});

it('an entry is not copied: its id is unique, and its MAC is over it', async () => {
  await using ground = await auditGround();
  await ground.add(1);
  const copy = (id: string) =>
    asRole(
      ground,
      `insert into audit (actor, details, entry_id, mac) select actor, details, ${id}, mac from audit where id = 2`,
    );
  await expect(copy('entry_id')).rejects.toThrow(/audit_entry_id/);
  await copy('gen_random_uuid()');
  await ground.chainAll();
  expect((await found(ground)).map(([kind]) => kind)).toEqual(['not-authentic']);
});

it.each([
  ['actor', `'operator:b@b.ec'`],
  ['details', `'{"n": 2}'`],
  ['details', `details || '{"more": null}'`],
  ['entry_id', 'gen_random_uuid()'],
  ['mac', 'null'],
])('the MAC covers %s: another value (%s) is named', async (column, value) => {
  await using ground = await auditGround();
  await ground.add(2);
  await ground.tamper(`update intake.audit set ${column} = ${value} where id = 2`);
  expect(await found(ground)).toEqual([['not-authentic', null, '2']]);
});

it('an entry has the time of the database, whatever the role says', async () => {
  await using ground = await auditGround();
  await asRole(
    ground,
    `insert into audit (at, actor) values (now() - interval '90 days', 'operator:b@b.ec')`,
  );
  const [row] = await asRole(
    ground,
    `select at > now() - interval '1 hour' as "isNow" from audit where id = 2`,
  );
  expect(row).toEqual({ isNow: true });
});

it('no row takes a place but the next one', async () => {
  await using ground = await auditGround();
  await ground.add(1);
  await ground.chainAll();
  await asRole(ground, `insert into audit (actor) values ('operator:b@b.ec')`);
  const place = (sequence: string, previous: string) =>
    asRole(
      ground,
      `update audit set chain_sequence = ${sequence}, chain_version = 1, previous_hash = ${previous},
         hash = sha256('x') where id = 3`,
    );
  const last = '(select hash from audit where chain_sequence = 2)';
  for (const [sequence, previous] of [
    ['9223372036854775806', last],
    ['0', last],
    ['-1', last],
    ['4', last],
    ['3', `sha256('y')`],
  ] as const)
    await expect(place(sequence, previous), sequence).rejects.toThrow(/does not follow/);
  await place('3', last);
});

it('a row that the role places itself does not stop the next chainer', async () => {
  await using ground = await auditGround();
  await ground.add(1);
  await ground.chainAll();
  await asRole(ground, `insert into audit (actor) values ('operator:b@b.ec')`);
  await asRole(
    ground,
    `update audit set chain_sequence = 3, chain_version = 1, hash = sha256('x'), previous_hash = previous.hash
     from (select hash from audit where chain_sequence = 2) as previous where id = 3`,
  );
  await ground.add(1);
  await ground.chainAll({ checkpointRows: 1 });
  expect(ground.broken).toEqual([]);
  expect(ground.alarms).toEqual(['audit 3']);
  expect((await ground.chained()).map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
  expect(await found(ground)).toEqual([
    ['altered', 3, '3'],
    ['not-authentic', 3, '3'],
  ]);
});

/** Adds an entry with its place in one transaction, so that the chainer does not come in between. */
async function placeThird({ database }: AuditGround): Promise<void> {
  await database.transaction(async (em) => {
    const run = (sql: string) => em.getConnection().execute(sql, [], 'run', em.getTransactionContext());
    await run(`insert into audit (actor) values ('operator:b@b.ec')`);
    await run(`update audit set chain_sequence = 3, chain_version = 1, hash = sha256('x'), previous_hash = previous.hash
      from (select hash from audit where chain_sequence = 2) as previous where id = 3`);
  });
}

it('a place that is taken from under a running chainer does not stop it', async () => {
  await using ground = await auditGround();
  await ground.add(1);
  await using chainer = ground.chainer();
  await untilAllChained(ground.database);
  await placeThird(ground);
  await ground.add(1);
  await untilAllChained(ground.database);
  expect(chainer.isActive()).toBe(true);
  expect(ground.broken).toEqual([]);
  expect(ground.alarms).toContain('audit 3');
});

it('a row that the role places itself while the log is quiet raises its alarm', async () => {
  await using ground = await auditGround();
  await ground.add(1);
  await using _ = ground.chainer({ checkpointSeconds: 0.2 });
  await untilAllChained(ground.database);
  await placeThird(ground);
  await expect.poll(() => ground.alarms).toHaveLength(1);
  expect(ground.broken).toEqual([]);
});

it('a forged checkpoint stops nothing, and is the one finding', async () => {
  await using ground = await auditGround();
  await ground.add(1);
  await ground.chainAll({ checkpointRows: 1 });
  const forge = (sequence: string, hash: string, jws: string) =>
    asRole(
      ground,
      `insert into audit_checkpoint (sequence, hash, at, kid, jws) values (${sequence}, ${hash}, now(), 'x', '${jws}')`,
    );
  await expect(forge('9000000', `'\\x00'`, 'x.y.z')).rejects.toThrow(/no row at place/);
  await expect(forge('2', `'\\x00'`, 'x.y.z')).rejects.toThrow(/no row at place/);
  await forge('2', '(select hash from audit where chain_sequence = 2)', 'x.y.z');
  // A genuine one at another place, and in another encoding.
  await forge('1', '(select hash from audit where chain_sequence = 1)', ground.logged.at(-1) ?? '');
  await forge('2', '(select hash from audit where chain_sequence = 2)', `${ground.logged.at(-1)}=`);
  await ground.add(1);
  await ground.chainAll({ checkpointRows: 1 });
  expect(ground.broken).toEqual([]);
  expect(ground.alarms).toContain('audit_checkpoint 2');
  expect(await found(ground)).toEqual([
    ['checkpoint-invalid', 1, null],
    ['checkpoint-invalid', 2, null],
    ['checkpoint-invalid', 2, null],
  ]);
  const { lastCheckpoint } = await verifyAudit(
    { sql: ground.database, table: auditTable, keys: ground.keys, entries },
    { maxRows: 1_000 },
  );
  expect(lastCheckpoint).toBe(3);
});

it('entries without a MAC count while copies of the release before may write, as the owner says', async () => {
  await using ground = await auditGround();
  await using owner = createDatabase({
    ...{ url: ground.service.ownerUrl, schema: 'intake', entities: [] },
    logger: quiet,
  });
  const write = () => asRole(ground, `insert into audit (actor) values ('operator:b@b.ec')`);
  await expect(
    asRole(ground, 'insert into audit_upgrade (last_id, ends_at) values (99, now())'),
  ).rejects.toThrow(/permission denied/);
  await write();
  expect(await found(ground)).toEqual([['not-authentic', null, '2']]);
  await adoptAuditEntries(owner, { table: auditTable, hours: 1 });
  await write();
  expect(await found(ground)).toEqual([]);
  await adoptAuditEntries(owner, { table: auditTable, hours: 0 });
  await write();
  expect(await found(ground)).toEqual([['not-authentic', null, '4']]);
});

it('a verification without the key says that MACs were not checked', async () => {
  await using ground = await auditGround();
  const deps = { sql: ground.database, table: auditTable, keys: ground.keys };
  expect(await verifyAudit(deps, { maxRows: 1_000 })).toMatchObject({ macs: 'unchecked', findings: [] });
  expect(await verifyAudit({ ...deps, entries }, { maxRows: 1_000 })).toMatchObject({ macs: 'checked' });
});

it.each([
  ['nested in 15,000 levels', `repeat('[', 15000) || repeat(']', 15000)`],
  ['nested in 33 levels', `repeat('{"a":', 33) || '1' || repeat('}', 33)`],
  ['of 70 kB', `'{"a":"' || repeat('x', 70000) || '"}'`],
])('an entry that no reader could take (%s) is refused', async (_, details) => {
  await using ground = await auditGround();
  const add = asRole(
    ground,
    `insert into audit (actor, details) values ('operator:b@b.ec', (${details})::jsonb)`,
  );
  await expect(add).rejects.toThrow(/too large, or nested too deeply|stack depth/);
  await ground.add(1);
  await ground.chainAll();
  expect(await found(ground)).toEqual([]);
});

it('an entry that was nested deeply before they were refused is chained, and named', async () => {
  await using ground = await auditGround();
  await ground.tamper(`alter table intake.audit disable trigger audit_bounded`);
  const details = `(repeat('[', 9000) || repeat(']', 9000))::jsonb`;
  await asRole(ground, `insert into audit (actor, details) values ('operator:b@b.ec', ${details})`);
  await ground.add(1);
  await ground.chainAll();
  expect(await found(ground)).toEqual([['not-authentic', 2, '2']]);
});
