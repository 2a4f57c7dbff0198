import { randomUUID } from 'node:crypto';
import { type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { type EntryGuard, refuseEntries } from '../audit/entry-guard.ts';
import { forgetEntryGuard, keepEntryGuard } from '../audit/entry-guards.ts';
import { createGroupCommit } from '../group-commit/group-commit.ts';
import type { DatabaseLogger } from '../logger.ts';
import { type Emitted, takeEmitted } from '../outbox/emitted.ts';
import { type AheadOfCommit, runAheadOfCommit } from './ahead-of-commit.ts';
import type { Statement } from './bound-statement.ts';
import { hideValues } from './hidden-values.ts';
import { createInTrace } from './in-trace.ts';
import { ormLogger } from './orm-logger.ts';
import { reclaimDeadClients } from './reclaim-dead-clients.ts';
import { judgeSession, type SessionStart, sessionStart } from './session-start.ts';
import { connectionConfig } from './settings.ts';
import type { SqlRunner } from './sql-runner.ts';
import { withTransactionScope } from './transaction-scope.ts';

export interface DatabaseOptions {
  /** The application role's URL: DML only. */
  readonly url: string;
  /**
   * Straight to PostgreSQL, where `url` leads to a pooler in transaction mode: for what belongs to a session (locks,
   * LISTEN). Through the pooler no statement is prepared by name, and connections begin as their role says.
   */
  readonly directUrl?: string | undefined;
  /** The service's own schema. */
  readonly schema: string;
  /** Made with `defineEntity`; may be empty. */
  readonly entities: NonNullable<Options['entities']>;
  readonly logger: DatabaseLogger;
  /** What sees each entity as it comes and goes. */
  readonly subscribers?: NonNullable<Options['subscribers']>;
  /** Most connections kept; idle ones are closed. Default `defaultPoolSize`. */
  readonly poolSize?: number;
  readonly applicationName?: string;
  readonly statementTimeoutMs?: number;
  /** Protects the entries of the audit log that are written by way of it. */
  readonly entries?: EntryGuard;
  /** PostgreSQL ends a transaction that waits this long for its client, so that it cannot hold locks without end. */
  readonly idleInTransactionTimeoutMs?: number;
}

export interface Database extends SqlRunner, AsyncDisposable {
  readonly orm: MikroORM;
  readonly schema: string;
  /** Protects the entries of its audit log. Throws where it was opened without the key. */
  readonly entries: EntryGuard;
  /** Where a connection is one session of PostgreSQL, whatever stands in front of the pool. */
  readonly directUrl: string;
  /** A fresh entity manager with an identity map of its own, for reading. */
  fork(): EntityManager;
  /**
   * Commits when `work` resolves, rolls back when it throws; then nudges the relay if anything was emitted.
   * Inside another transaction it becomes a savepoint of that one. Nothing slow belongs in `work`.
   */
  transaction<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** One prepared statement, one round trip, one commit: the hot path. */
  statement<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
  /**
   * As `statement`, but its rows are given while its commit waits for the disk: for work that may be done once more
   * where `committed` rejects. Statements that emit are refused.
   */
  aheadOfCommit<Row = Record<string, unknown>>(statement: Statement): Promise<AheadOfCommit<Row>>;
  /**
   * Called after every commit that wrote outbox rows, with the rows where a statement's own commit wrote them and said so.
   * Never with those of a transaction: part of them may be rolled back, and a COMMIT after a failed statement is answered
   * as if it had been one. Returns how to stop it.
   */
  onEmitted(listener: (emitted?: Emitted) => void): () => void;
  /** Connections of the pool at this moment, and who waits for one. */
  connections(): { inUse: number; idle: number; waiting: number };
  /** Checks readiness: rejects where PostgreSQL does not answer or could write nothing, and where sessions behind a pooler do not begin as they must. */
  ping(): Promise<void>;
  /** What time it is there, in ms since 1970. */
  clockMs(): Promise<number>;
  close(): Promise<void>;
}

/** Connections of a pool: more only queue inside PostgreSQL. */
export const defaultPoolSize = 8;

/** Of the pool's connections. With more of them groups are smaller; with one, PostgreSQL works on one core. */
const groupCommitLanes = 2;

/**
 * The service's database. Connects at first use, and again after PostgreSQL was away: a lost connection fails
 * the statement that was under way (see `isDatabaseUnavailable`) and nothing else.
 */
export function createDatabase(options: DatabaseOptions): Database {
  const { schema, directUrl } = options;
  const prepares = directUrl === undefined;
  const owner = randomUUID();
  const orm = createOrm(options, owner);
  const inTrace = createInTrace(schema);
  const listeners = new Set<(emitted?: Emitted) => void>();
  const tell = (emitted?: Emitted) => {
    for (const listener of listeners) listener(emitted);
  };
  const connection = () => orm.driver.getConnection();
  let pool: Pool | undefined;
  const nativePool = async () => {
    pool ??= await connection().getNativeClient();
    return pool;
  };
  const group = createGroupCommit({ pool: nativePool, lanes: groupCommitLanes, prepares });
  const execute = async <Row>(text: string, params: readonly unknown[] = []) =>
    (await (await nativePool()).query(text, [...params])).rows as Row[];
  const entries = options.entries ?? refuseEntries(schema);
  keepEntryGuard(owner, entries);
  const close = async () => {
    forgetEntryGuard(owner);
    await orm.close();
    // The ORM ends the pool only if it ran a query of its own; one used natively alone would outlive it by
    // its idle time and hold the process that long.
    if (pool && !pool.ended) await pool.end();
  };
  return {
    orm,
    schema,
    entries,
    directUrl: directUrl ?? options.url,
    execute,
    fork: () => orm.em.fork(),
    transaction: (work) =>
      withTransactionScope({
        owner,
        transaction: () => orm.em.transactional(work),
        emitted: tell,
      }),
    async statement<Row>(statement: Statement) {
      const { name, text, params, emits, groupCommit } = statement;
      const sentAt = performance.now();
      const run = async (): Promise<Record<string, unknown>[]> =>
        groupCommit
          ? group.run(statement)
          : (await (await nativePool()).query({ ...(prepares && { name }), text, values: [...params] })).rows;
      const rows = await inTrace(name, run);
      if (emits) {
        const emitted = takeEmitted(statement, rows);
        tell(emitted && { rows: emitted, sentAt });
      }
      return rows as Row[];
    },
    aheadOfCommit: async <Row>(statement: Statement) =>
      (await runAheadOfCommit(await nativePool(), statement, { prepares })) as AheadOfCommit<Row>,
    onEmitted(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    connections() {
      const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pool ?? {};
      return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    },
    async ping() {
      const [session] = await execute<SessionStart>(sessionStart);
      if (!prepares && session !== undefined) judgeSession(session, schema);
    },
    async clockMs() {
      // Of now, not of the transaction's start, and PostgreSQL's own function whatever the schema holds.
      // A whole number: how many digits a float has as text is a setting, which the role may change.
      const [row] = await execute<{ ms: string }>(
        'select (extract(epoch from pg_catalog.clock_timestamp()) * 1000)::bigint as ms',
      );
      if (row === undefined) throw new Error('PostgreSQL does not say what time it is');
      return Number(row.ms);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createOrm(options: DatabaseOptions, contextName: string): MikroORM {
  const { logger, schema } = options;
  return new MikroORM({
    entities: options.entities,
    subscribers: options.subscribers ?? [],
    clientUrl: options.url,
    schema,
    // The ORM finds the transaction under way by this name; two databases of one process must not share it.
    contextName,
    // The schema is made by migrations under another role; without these the ORM looks around at start.
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    loggerFactory: () => ormLogger(logger),
    onQuery: hideValues,
    driverOptions: {
      ...connectionConfig({
        url: options.url,
        schema,
        pooled: options.directUrl !== undefined,
        applicationName: options.applicationName ?? `rubrica-${schema}`,
        statementTimeoutMs: options.statementTimeoutMs ?? 15_000,
        serverSettings: {
          idle_in_transaction_session_timeout: String(options.idleInTransactionTimeoutMs ?? 10_000),
        },
      }),
      max: options.poolSize ?? defaultPoolSize,
      idleTimeoutMillis: 30_000,
      onPoolCreated: reclaimDeadClients,
    },
  });
}
