import type { SqlRunner } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import { deleteExpired } from '../../../base/sweeper-task.ts';

interface UsedAssertion {
  readonly partnerId: string;
  readonly jti: string;
  readonly expiresAt: Date;
}

const insert = statement<UsedAssertion>({
  name: 'use-assertion',
  sql: `insert into used_assertion (partner_id, jti, expires_at) values (:partnerId, :jti, :expiresAt)
    on conflict do nothing returning 1`,
});

/**
 * Uses up an assertion, committed on return. A crash afterwards has lost the assertion, and nobody can use it
 * again at any copy.
 * @returns true for its first use
 */
export async function useAssertion(sql: SqlRunner, assertion: UsedAssertion): Promise<boolean> {
  return (await insert.run(sql, { ...assertion })).length === 1;
}

/**
 * Time for which a used id is kept after its end: the clock of the copy that sweeps may be ahead of another
 * copy's.
 */
const clocksDifferMs = 60_000;

/** Task that deletes expired assertions, which are refused for their end alone. */
export const forgetAssertions = deleteExpired({
  name: 'forget-assertions',
  table: 'used_assertion',
  key: 'partner_id, jti',
  at: 'expires_at',
  keptMs: clocksDifferMs,
});
