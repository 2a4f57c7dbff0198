import { type SqlRunner, type SweeperTask, statement } from '@rubrica/database';
import type { Clock } from '@rubrica/process';
import { sweeperTask } from '../../sweeper-task.ts';
import type { Flow } from './flow.ts';

const insert = statement<{ readonly id: string; readonly expiresAt: Date }>({
  name: 'use-openid-flow',
  sql: 'insert into used_openid_flow (id, expires_at) values (:id, :expiresAt) on conflict do nothing returning 1',
});

/** Committed when it returns. @returns whether this is its first use */
export async function useFlow(sql: SqlRunner, { id, exp }: Flow): Promise<boolean> {
  return (await insert.run(sql, { id, expiresAt: new Date(exp * 1000) })).length === 1;
}

const batchRows = 500;
/** The clock of the copy that sweeps may be before that of the copy that is shown the flow again. */
const clocksDifferMs = 60_000;

const forget = statement<{ readonly before: Date }>({
  name: 'forget-openid-flows',
  sql: `delete from used_openid_flow where id in (
    select id from used_openid_flow where expires_at <= :before order by expires_at limit ${batchRows}
    for update skip locked
  ) returning 1`,
});

/** What has expired is refused for that alone. */
export function forgetFlows(clock: Clock): SweeperTask {
  const params = () => ({ before: new Date(clock().getTime() - clocksDifferMs) });
  return sweeperTask(forget, { batchRows, params });
}
