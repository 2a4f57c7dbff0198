import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { isDatabaseUnavailable } from '../connection/errors.ts';
import { toSqlRunner } from '../connection/sql-runner.ts';
import { tryLockName } from '../lock/row-lock.ts';
import type { DatabaseLogger } from '../logger.ts';

/** Statement that finds rows due by the database's clock and handles them. */
export interface SweeperTask {
  readonly name: string;
  /** SQL that returns one row per handled item. */
  readonly text: string;
  readonly params?: readonly unknown[];
  /**
   * The statement's own limit: it is run again immediately while it handles that many. Where it is written as `limit
   * <batchRows> for update skip locked`, a batch that fails is repeated row by row.
   */
  readonly batchRows?: number;
  /** The statement inserts outbox rows. */
  readonly emits?: boolean;
  /** Runs in the transaction of the statement, with the rows that it returned. */
  readonly followUp?: (em: EntityManager, rows: readonly Record<string, unknown>[]) => Promise<void>;
}

export interface SweeperOptions {
  readonly database: {
    readonly schema: string;
    transaction<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  };
  readonly tasks: readonly SweeperTask[];
  readonly logger: DatabaseLogger;
  /** Pause between sweeps, default 60,000; each is between 0.8 and 1.2 of it, so that copies do not sweep in step. */
  readonly intervalMs?: number;
  /** Called when a task that emits has handled something, to notify the relay. */
  readonly onEmitted?: () => void;
  readonly swept?: (event: { task: string; rows: number }) => void;
}

export interface Sweeper {
  start(): void;
  /** Waits for the running task. */
  stop(): Promise<void>;
  /** Runs every task once, after a sweep in progress; returns the rows per task. */
  sweep(): Promise<Record<string, number>>;
}

/** Maximum batches of one task per sweep. A larger backlog waits for the next sweep, because a sweep must end. */
const maxBatches = 50;

/**
 * Creates the sweeper, which runs its tasks for the life of the service. Sweeps never overlap within a copy, and a task
 * never runs in two copies at once. Each run holds a lock of the schema for its transaction and is skipped if the lock
 * is taken. A task that fails is logged and tried again in the next sweep; the others run.
 */
export function createSweeper(options: SweeperOptions): Sweeper {
  const { tasks, logger } = options;
  const intervalMs = options.intervalMs ?? 60_000;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let sweepInProgress: Promise<Record<string, number>> = Promise.resolve({});

  const runTask = async (task: SweeperTask): Promise<number> => {
    let total = 0;
    for (let batch = 0; batch < maxBatches && !stopping.signal.aborted; batch += 1) {
      const rows = await runBatch(options, task).catch((fault) => runRowByRow(options, task, fault));
      total += rows;
      if (task.batchRows === undefined || rows < task.batchRows) break;
    }
    return total;
  };
  const runRound = async () => {
    const result: Record<string, number> = {};
    for (const task of tasks) {
      if (stopping.signal.aborted) break;
      try {
        const rows = await runTask(task);
        result[task.name] = rows;
        options.swept?.({ task: task.name, rows });
        if (rows > 0) logger.info({ action: task.name, count: rows }, 'swept');
      } catch (err) {
        logger.error({ err, action: task.name }, 'sweeping failed');
      }
    }
    return result;
  };
  const sweep = () => {
    sweepInProgress = sweepInProgress.then(runRound);
    return sweepInProgress;
  };
  const run = async () => {
    const { signal } = stopping;
    while (!signal.aborted) {
      await delay(intervalMs * (0.8 + 0.4 * Math.random()), undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await sweep();
    }
  };
  return {
    sweep,
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
      await sweepInProgress;
    },
  };
}

/**
 * Handles the rows of a failed batch one by one, so that a row that always fails keeps no other from being handled.
 * @throws the fault where the task takes no single rows, or the database is away
 */
async function runRowByRow(options: SweeperOptions, task: SweeperTask, fault: unknown): Promise<number> {
  const limit = `limit ${task.batchRows} for update skip locked`;
  if (task.batchRows === undefined || !task.text.includes(limit) || isDatabaseUnavailable(fault)) throw fault;
  let handled = 0;
  const faults: unknown[] = [];
  while (handled + faults.length < task.batchRows) {
    const text = task.text.replace(limit, `limit 1 offset ${faults.length} for update skip locked`);
    try {
      const rows = await runBatch(options, { ...task, text });
      if (rows === 0) break;
      handled += rows;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      faults.push(error);
    }
  }
  options.logger.error(
    { err: faults[0] ?? fault, action: task.name, count: faults.length },
    'rows not swept',
  );
  return handled;
}

async function runBatch(options: SweeperOptions, task: SweeperTask): Promise<number> {
  const rows = await options.database.transaction(async (em) => {
    if (!(await tryLockName(em, `sweeper ${task.name}`))) return 0;
    const dealtWith = await toSqlRunner(em).execute(task.text, task.params);
    if (dealtWith.length > 0) await task.followUp?.(em, dealtWith);
    return dealtWith.length;
  });
  if (rows > 0 && task.emits) options.onEmitted?.();
  return rows;
}
