import { createHmac, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { createDatabase, type Database, openOwnSession } from '@rubrica/database/connection';
import { createSessionLock, namedLockSql, trySessionLock } from '@rubrica/database/lock';
import { migrate } from '@rubrica/database/migrate';
import { acquireDatabases, type TestDatabases, type TestService, testPostgres } from '@rubrica/testkit';
import { createChainer } from '../../src/chain/chainer.ts';
import type { ChainerOptions } from '../../src/chain/chainer-options.ts';
import { chainerLock, chainerSql } from '../../src/chain/chainer-sql.ts';
import { startChain } from '../../src/chain/start-chain.ts';
import { createEntryGuard } from '../../src/entries/entry-guard.ts';
import type { AuditTable } from '../../src/log/audit-table.ts';
import {
  auditChainSql,
  auditEntryIdSql,
  auditGrants,
  boundedAuditSql,
  guardedAuditSql,
  smallAuditSql,
} from '../../src/migrations/audit-sql.ts';
import { quiet } from './quiet.ts';

export const auditTable: AuditTable = {
  service: 'intake',
  name: 'audit',
  id: 'id',
  columns: [
    { name: 'id', kind: 'text' },
    { name: 'at', kind: 'instant' },
    { name: 'actor', kind: 'text' },
    { name: 'details', kind: 'json' },
  ],
  chainStart: { actor: 'service:intake', details: '{"action": "audit.start"}' },
};

const tableSql = `
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  details jsonb not null default '{}'
);`;

const auditMigrations = [
  { name: '20260101000000_base', sql: tableSql },
  { name: '20260102000000_audit_chain', sql: `${auditChainSql(auditTable)}${namedLockSql}` },
  { name: '20260103000000_guarded_audit', sql: guardedAuditSql(auditTable) },
  {
    name: '20260103000100_audit_entry_id',
    sql: auditEntryIdSql(auditTable),
    withoutTransaction: true as const,
  },
  { name: '20260105000000_bounded_audit', sql: boundedAuditSql(auditTable) },
  { name: '20260106000000_small_audit', sql: smallAuditSql(auditTable) },
];

/** Keys as the service's keyring has them; here made in memory, so that a process may be given them. */
export function makeKeys(kid = 'intake-sig-1', pair = generateKeyPairSync('ed25519')) {
  const known = new Map<string, KeyObject>([[kid, pair.publicKey]]);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    kid,
    known,
    privatePem: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    signCheckpoint(claims: object) {
      const signed = `${part({ alg: 'EdDSA', typ: 'rubrica-audit+jwt', kid })}.${part({ iss: 'intake', ...claims })}`;
      return `${signed}.${sign(null, Buffer.from(signed), pair.privateKey).toString('base64url')}`;
    },
    verifyCheckpoint(jws: string) {
      const [header = '', payload = '', signature = ''] = jws.split('.');
      const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
      const key = known.get(read(header).kid);
      if (key === undefined) throw new Error(`unknown key ${read(header).kid}`);
      if (!verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url')))
        throw new Error('not authentic');
      return { kid: read(header).kid as string, claims: read(payload) as Record<string, unknown> };
    },
  };
}
/** MACs as the service's keyring makes them, by a key in memory. */
export function makeEntryGuard() {
  const mac = (data: string) => createHmac('sha256', 'a key in memory').update(data).digest('base64url');
  const keys = { mac, isMacOfTime: (data: string, made: string) => mac(data) === made };
  return createEntryGuard({ table: auditTable, keys });
}

export type TestKeys = ReturnType<typeof makeKeys>;

export type RunningChainer = AsyncDisposable & { isActive(): boolean; hasOwner(): boolean; nudge(): void };

export interface AuditGround extends AsyncDisposable {
  readonly databases: TestDatabases;
  readonly service: TestService;
  readonly database: Database;
  readonly keys: TestKeys;
  /** Lines of the log that carry a checkpoint. */
  readonly logged: string[];
  /** Errors that were logged, with their reasons. */
  readonly broken: string[];
  /** Rows that the chainer found not to be the service's, in the order of the alarms. */
  readonly alarms: string[];
  /** Places at which a chain was begun, as logged. */
  readonly started: number[];
  /** A pool of its own, for where the ground's was closed. */
  open(): Database;
  /** Adds `count` rows as the service does. */
  add(count: number, actor?: string): Promise<void>;
  /** As the owner who has switched the guards off: what chain and checkpoints are for. */
  tamper(...statements: string[]): Promise<void>;
  /** A copy of the service's chainer, running until disposed of. */
  chainer(tuning?: Record<string, number>, own?: Partial<ChainerOptions>): RunningChainer;
  chained(): Promise<{ id: string; sequence: number }[]>;
  /** Chains what is there with a copy of its own and waits until all have their places. */
  chainAll(tuning?: Record<string, number>): Promise<void>;
}

export const guardsOff = `set session_replication_role = replica;
  alter table intake.audit disable trigger all; alter table intake.audit_checkpoint disable trigger all;`;

/** Row 1 at place 1, as the first chainer of a table writes it; without a checkpoint. */
async function beginChain(url: string): Promise<void> {
  const nothing = () => undefined;
  const parts = { applicationName: 'begin', onLost: nothing, onNotification: nothing };
  const session = await openOwnSession({ url, schema: 'intake', ...parts });
  const wanted = chainerLock('intake');
  await createSessionLock(session, wanted.name);
  const lock = await trySessionLock(session, wanted);
  if (lock === undefined) throw new Error('the lock of a new schema is free');
  await startChain({ session, lock, table: auditTable, entries }, chainerSql(auditTable));
  await session.end();
}

/** @param settings of a server of its own */
export async function auditGround(settings?: Record<string, string>): Promise<AuditGround> {
  const databases = await (settings === undefined ? acquireDatabases() : testPostgres({ settings }));
  const migrated = await databases.fromTemplate('audited', async (template) => {
    const { ownerUrl, appUrl, schema, appRole } = await template.createService('intake');
    await migrate({
      ...{ ownerUrl, schema, appRole },
      grants: auditGrants(auditTable, { schema, appRole }),
      migrations: auditMigrations,
      logger: quiet,
    });
    await beginChain(appUrl);
  });
  const service = await migrated.createService('intake');
  const open = () => createDatabase({ url: service.appUrl, schema: 'intake', entities: [], logger: quiet });
  const database = open();
  const keys = makeKeys();
  const logged: string[] = [];
  const broken: string[] = [];
  const started: number[] = [];
  const alarms: string[] = [];
  const logger = {
    ...quiet,
    info: (fields: { checkpoint?: string; sequence?: number }, text: string) => {
      if (fields.checkpoint !== undefined) logged.push(fields.checkpoint);
      if (text === 'audit chain started') started.push(fields.sequence ?? Number.NaN);
    },
    error: ({ reason }: { reason?: string }, text: string) => void broken.push(`${text}: ${reason}`),
  } as typeof quiet;
  const ground: AuditGround = {
    databases,
    service,
    database,
    keys,
    logged,
    broken,
    started,
    alarms,
    open,
    async add(count, actor = 'operator:a@b.ec') {
      const rows = Array.from({ length: count }, (_, index) => {
        const details = { n: index + 1 };
        const { entryId: entry_id, entryMac: mac } = entries.protect({ actor, details });
        return { actor, details, entry_id, mac };
      });
      await database.execute(
        `insert into audit (actor, details, entry_id, mac) select * from jsonb_to_recordset($1::jsonb)
           as entry (actor text, details jsonb, entry_id uuid, mac text)`,
        [JSON.stringify(rows)],
      );
    },
    async tamper(...statements) {
      await service.database.query(
        [guardsOff, ...statements, 'set session_replication_role = origin'].join(';\n').replaceAll(';;', ';'),
      );
    },
    chainer(tuning = {}, own = {}) {
      const chainer = createChainer({
        databaseUrl: service.appUrl,
        schema: 'intake',
        table: auditTable,
        keys,
        entries,
        onNotAuthentic: ({ table, id }) => void alarms.push(`${table} ${id}`),
        clock: () => new Date(),
        logger,
        tuning: { pollMs: 20, checkpointSeconds: 3_600, ...tuning },
        ...own,
      });
      chainer.start();
      const { isActive, hasOwner, nudge } = chainer;
      return { isActive, hasOwner, nudge, [Symbol.asyncDispose]: chainer.stop };
    },
    async chained() {
      const rows = await database.execute<{ id: string; sequence: string }>(
        'select id::text as id, chain_sequence::text as sequence from audit where hash is not null order by chain_sequence',
      );
      return rows.map(({ id, sequence }) => ({ id, sequence: Number(sequence) }));
    },
    async chainAll(tuning) {
      await using _ = ground.chainer(tuning);
      await untilAllChained(database);
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      await databases[Symbol.asyncDispose]();
    },
  };
  return ground;
}

/** MACs of the service, of every ground. */
export const entries = makeEntryGuard();

export async function untilAllChained(database: Database): Promise<void> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const rows = await database.execute('select 1 from audit where chain_sequence is null limit 1');
    if (rows.length === 0) return;
    if (performance.now() > deadline) throw new Error('rows are still without their places');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
