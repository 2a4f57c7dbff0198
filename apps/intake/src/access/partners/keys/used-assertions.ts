import { type SqlRunner, statement } from '@rubrica/database';
import { forgetExpired } from '../../../base/sweeper-task.ts';

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
 * Committed when it returns: whoever dies after that has lost the assertion, and nobody can use it again, here or at
 * another copy.
 * @returns whether this is its first use
 */
export async function useAssertion(sql: SqlRunner, assertion: UsedAssertion): Promise<boolean> {
  return (await insert.run(sql, { ...assertion })).length === 1;
}

/** The clock of the copy that sweeps may be before that of the copy that is shown the assertion again. */
const clocksDifferMs = 60_000;

/** What has expired is refused for that alone. */
export const forgetAssertions = forgetExpired({
  name: 'forget-assertions',
  table: 'used_assertion',
  key: 'partner_id, jti',
  at: 'expires_at',
  keptMs: clocksDifferMs,
});
