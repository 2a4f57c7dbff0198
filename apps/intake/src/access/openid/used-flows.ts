import type { SqlRunner } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import { deleteExpired } from '../../base/sweeper-task.ts';
import type { Flow } from './flow.ts';

const insert = statement<{ readonly id: string; readonly expiresAt: Date }>({
  name: 'use-openid-flow',
  sql: 'insert into used_openid_flow (id, expires_at) values (:id, :expiresAt) on conflict do nothing returning 1',
});

/** Uses up a flow, committed on return. @returns true for its first use */
export async function useFlow(sql: SqlRunner, { id, exp }: Flow): Promise<boolean> {
  return (await insert.run(sql, { id, expiresAt: new Date(exp * 1000) })).length === 1;
}

/**
 * Time for which a used id is kept after its end: the clock of the copy that sweeps may be ahead of another
 * copy's.
 */
const clocksDifferMs = 60_000;

/** Deletes expired flows, which are refused for their end alone. */
export const forgetFlows = deleteExpired({
  name: 'forget-openid-flows',
  table: 'used_openid_flow',
  key: 'id',
  at: 'expires_at',
  keptMs: clocksDifferMs,
});
