import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { Database } from '@rubrica/database/connection';
import { checkRows, createRowGuard, type GuardedTable, type RowGuard } from '@rubrica/database/guarded';
import type { Keyring } from '@rubrica/process/keyring';
import { metric } from '@rubrica/process/metrics';
import type { ServiceParts } from '@rubrica/process/runner';

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
const retryEveryMs = MINUTE_MS;
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
  /**
   * Checks the rows. Large tables are read only for a new key: their rows are verified at use. The former key may end
   * after the log line, which therefore appears even if no row had a MAC of it.
   */
  async function check(key: 'same' | 'unknown' | 'new'): Promise<void> {
    const read = key === 'same' ? tables.filter(({ check }) => check === 'all') : tables;
    const count = await checkRows({ database, guard, keys: keyring, tables: read });
    if (count > 0 || key === 'new') logger.info({ count }, 'row MACs renewed');
  }
  async function run(): Promise<void> {
    const { signal } = stopping;
    let probe = '';
    let key: Parameters<typeof check>[0] = 'unknown';
    for (let next = 0; !signal.aborted; ) {
      if (probe !== '' && !keyring.isPresentMac(probe)) [key, next] = ['new', 0];
      if (performance.now() >= next) {
        probe = keyring.mac('');
        try {
          await check(key);
          key = 'same';
          next = performance.now() + lookEveryMs;
        } catch (err) {
          logger.warn({ err }, 'row check failed');
          next = performance.now() + retryEveryMs;
        }
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
