import { randomUUID } from 'node:crypto';
import { type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { type EntryGuard, refuseEntries } from '../entries/entry-guard.ts';
import { forgetEntryGuard, keepEntryGuard } from '../entries/entry-guards.ts';
import { createGroupCommit } from '../group-commit/group-commit.ts';
import type { DatabaseLogger } from '../logger.ts';
import { type Emitted, takeEmitted } from '../outbox/emitted.ts';
import type { Statement } from './bound-statement.ts';
import { hideValues } from './hidden-values.ts';
import { createInTrace } from './in-trace.ts';
import { ormLogger } from './orm-logger.ts';
import { type AheadOfCommit, runAheadOfCommit } from './pipelined-commit.ts';
import { reclaimDeadClients } from './reclaim-dead-clients.ts';
import { judgeSession, type SessionStart, sessionStart } from './session-start.ts';
import { connectionConfig } from './settings.ts';
import type { SqlRunner } from './sql-runner.ts';
import { withTransactionScope } from './transaction-scope.ts';

export interface DatabaseOptions {
  /** URL of the application role, which has DML rights only. */
  readonly url: string;
  /**
   * URL straight to PostgreSQL, if `url` leads to a pooler in transaction mode: for locks and LISTEN, which belong to a
   * session. Through the pooler no statement is prepared by name, and connections start with the defaults of their
   * role.
   */
  readonly directUrl?: string | undefined;
  /** The service's own schema. */
  readonly schema: string;
  /** Entities defined with `defineEntity`; may be empty. */
  readonly entities: NonNullable<Options['entities']>;
  readonly logger: DatabaseLogger;
  /** Subscribers that see each entity when it is read or written. */
  readonly subscribers?: NonNullable<Options['subscribers']>;
  /** Maximum number of connections; idle ones are closed. Default `defaultPoolSize`. */
  readonly poolSize?: number;
  readonly applicationName?: string;
  readonly statementTimeoutMs?: number;
  /** Guard of the audit entries that are written through this database. */
  readonly entries?: EntryGuard;
  /**
   * Time after which PostgreSQL ends a transaction that waits for its client, so that it cannot hold locks endlessly.
   */
  readonly idleInTransactionTimeoutMs?: number;
}

export interface Database extends SqlRunner, AsyncDisposable {
  readonly orm: MikroORM;
  readonly schema: string;
  /** Guard of the entries of its audit log. Throws if the database was opened without the key. */
  readonly entries: EntryGuard;
  /** URL at which a connection is one session of PostgreSQL, whatever is in front of the pool. */
  readonly directUrl: string;
  /** Creates an entity manager with its own identity map, for reading. */
  fork(): EntityManager;
  /**
   * Runs `work` in a transaction: commits when it resolves, rolls back when it throws, then notifies the relay if
   * anything was emitted. Inside another transaction it becomes a savepoint. Nothing slow belongs in `work`.
   */
  transaction<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** Runs one prepared statement with one round trip and one commit: the hot path. */
  statement<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
  /**
   * Runs a statement and returns its rows while its commit waits for the disk: for work that may be repeated if
   * `committed` rejects. Statements that emit are refused.
   */
  aheadOfCommit<Row = Record<string, unknown>>(statement: Statement): Promise<AheadOfCommit<Row>>;
  /**
   * Registers a listener that is called after every commit that wrote outbox rows. It gets the rows if one statement
   * wrote and returned them in its own commit. Rows of a transaction are never passed: part of them may be rolled back,
   * and a COMMIT after a failed statement is answered like a success.
   * @returns a function that removes the listener
   */
  onEmitted(listener: (emitted?: Emitted) => void): () => void;
  /** Counts the connections of the pool, and the tasks that wait for one. */
  connections(): { inUse: number; idle: number; waiting: number };
  /**
   * Checks readiness: rejects if PostgreSQL does not answer or cannot write, or if sessions behind a pooler do not
   * start as required.
   */
  ping(): Promise<void>;
  /** Reads the time of the database server, in ms since 1970. */
  clockMs(): Promise<number>;
  close(): Promise<void>;
}

/** Maximum connections of a pool: more would only queue inside PostgreSQL. */
export const defaultPoolSize = 8;

/**
 * Connections of the pool for group commits. With more of them groups are smaller; with one, PostgreSQL uses one core.
 */
const groupCommitLanes = 2;

/**
 * Creates the access to the service's database. It connects at first use, and again after PostgreSQL was away: a lost
 * connection fails only the statement in progress (see `isDatabaseUnavailable`).
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
    // The ORM ends the pool only if it ran a query of its own. One used natively only would live on for its idle time
    // and hold the process that long.
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
      // Current time, not that of the transaction's start, and PostgreSQL's own function whatever the schema holds. A
      // whole number, because the digits of a float as text depend on a setting that the role may change.
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
    // The ORM finds the current transaction by this name; two databases of one process must not share it.
    contextName,
    // The schema is created by migrations under another role; without these options the ORM inspects it at start.
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
