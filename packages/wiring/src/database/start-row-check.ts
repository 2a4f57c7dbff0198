import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import {
  checkRows,
  createRowGuard,
  type Database,
  type GuardedTable,
  type RowGuard,
} from '@rubrica/database';
import { type Keyring, metric, type ServiceParts } from '@rubrica/process';

type Alarm = Pick<ServiceParts, 'logger' | 'metrics'>;
type Macs = Pick<Keyring, 'mac' | 'isMac' | 'isPresentMac'>;

/** Creates the guard of a service's rows that grant rights; a row that fails is counted and logged. */
export function openRowGuard(
  { keyring, tables }: { readonly keyring: Macs; readonly tables: readonly GuardedTable[] },
  { logger, metrics }: Alarm,
): RowGuard {
  const failures = metrics.counter(metric('rubrica_rows_not_authentic_total'));
  return createRowGuard({
    keys: keyring,
    tables,
    onFailed({ table, id }) {
      failures.inc({ table });
      logger.error({ table, subject: id }, 'row not authentic, treated as disabled');
    },
  });
}

const lookEveryMs = 10 * MINUTE_MS;
const lookAtKeyEveryMs = 5_000;

export interface RowCheckOptions {
  readonly database: Pick<Database, 'execute'>;
  readonly keyring: Macs;
  readonly rows: RowGuard;
  readonly tables: readonly GuardedTable[];
}

/** Starts the check of all guarded rows, periodically and immediately after a new key for MACs. */
export function startRowCheck(
  { database, keyring, rows: guard, tables }: RowCheckOptions,
  { logger, runner }: Pick<ServiceParts, 'logger' | 'runner'>,
): void {
  const stopping = new AbortController();
  /** Checks the rows. Large tables are read only for a new key: their rows are verified at use. */
  async function check(isKeyNew: boolean): Promise<void> {
    const read = isKeyNew ? tables : tables.filter(({ check }) => check === 'all');
    const count = await checkRows({ database, guard, keys: keyring, tables: read });
    if (count > 0) logger.info({ count }, 'row MACs renewed');
  }
  async function run(): Promise<void> {
    const { signal } = stopping;
    for (let next = 0, probe = ''; !signal.aborted; ) {
      if (performance.now() >= next || !keyring.isPresentMac(probe)) {
        try {
          const made = keyring.mac('');
          await check(!keyring.isPresentMac(probe));
          probe = made;
        } catch (err) {
          logger.warn({ err }, 'row check failed');
        }
        next = performance.now() + lookEveryMs;
      }
      await wait(lookAtKeyEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
  const ended = run();
  runner.own('check of rows', async () => {
    stopping.abort();
    await ended;
  });
}
