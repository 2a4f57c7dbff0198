import { type NamedStatement, statement } from '@rubrica/database/statement';
import type { SweeperTask } from '@rubrica/database/sweeper';
import type { Clock } from '@rubrica/process/time';

/**
 * Creates a sweeper task from a statement.
 * @param params evaluated at each run, for values such as the current time
 */
export function sweeperTask<Params extends object>(
  sweep: NamedStatement<Params, unknown>,
  options: { readonly batchRows: number; readonly emits?: boolean; readonly params: () => Params },
): SweeperTask {
  const { params, ...rest } = options;
  return {
    ...rest,
    name: sweep.name,
    text: sweep.text,
    get params() {
      return sweep.bind(params()).params;
    },
  };
}

interface ExpiringTable {
  /** Name of the statement. */
  readonly name: string;
  readonly table: string;
  /** Columns of the primary key, separated by commas. */
  readonly key: string;
  /** Indexed column with the time at which a row expires. */
  readonly at: string;
  /** Time for which an expired row is kept, in ms. */
  readonly keptMs?: number;
}

const batchRows = 500;

/** Creates the task that deletes expired rows, oldest first. Copies that sweep at the same time take different rows. */
export function deleteExpired({
  name,
  table,
  key,
  at,
  keptMs = 0,
}: ExpiringTable): (clock: Clock) => SweeperTask {
  const forget = statement<{ readonly before: Date }>({
    name,
    sql: `delete from ${table} where (${key}) in (
    select ${key} from ${table} where ${at} <= :before order by ${at} limit ${batchRows} for update skip locked
  ) returning 1`,
  });
  return (clock) =>
    sweeperTask(forget, { batchRows, params: () => ({ before: new Date(clock().getTime() - keptMs) }) });
}
