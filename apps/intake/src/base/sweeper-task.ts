import { type NamedStatement, type SweeperTask, statement } from '@rubrica/database';
import type { Clock } from '@rubrica/process';

/** A statement as a task of the sweeper. @param params are taken anew at each run, such as the present moment */
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

interface Expiring {
  /** Of the statement. */
  readonly name: string;
  readonly table: string;
  /** The columns of its primary key, divided by commas. */
  readonly key: string;
  /** The indexed column with the moment at which a row is over. */
  readonly at: string;
  /** How long a row that is over is kept. */
  readonly keptMs?: number;
}

const batchRows = 500;

/** Removes rows that are over, the oldest first. Copies that sweep at the same moment take different ones. */
export function forgetExpired({ name, table, key, at, keptMs = 0 }: Expiring): (clock: Clock) => SweeperTask {
  const forget = statement<{ readonly before: Date }>({
    name,
    sql: `delete from ${table} where (${key}) in (
    select ${key} from ${table} where ${at} <= :before order by ${at} limit ${batchRows} for update skip locked
  ) returning 1`,
  });
  return (clock) =>
    sweeperTask(forget, { batchRows, params: () => ({ before: new Date(clock().getTime() - keptMs) }) });
}
