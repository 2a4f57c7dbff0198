import { type SqlRunner, type SweeperTask, statement } from '@rubrica/database';
import type { Clock } from '@rubrica/process';
import { sweeperTask } from '../../sweeper-task.ts';

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

const batchRows = 500;
/** The clock of the copy that sweeps may be before that of the copy that is shown the assertion again. */
const clocksDifferMs = 60_000;

const forget = statement<{ readonly before: Date }>({
  name: 'forget-assertions',
  sql: `delete from used_assertion where (partner_id, jti) in (
    select partner_id, jti from used_assertion where expires_at <= :before order by expires_at limit ${batchRows}
    for update skip locked
  ) returning 1`,
});

/** What has expired is refused for that alone. */
export function forgetAssertions(clock: Clock): SweeperTask {
  const params = () => ({ before: new Date(clock().getTime() - clocksDifferMs) });
  return sweeperTask(forget, { batchRows, params });
}
