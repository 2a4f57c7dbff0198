import type { Database } from '@rubrica/database';
import type { RetentionDays } from '../request/retention-of.ts';
import { eraseDueBatch, eraseDueStatement } from './erase-statement.ts';

const dateUndated = `
update request set evidence_due_at = case status
  when 'GENERATED' then not_after + make_interval(days => $1::integer)
  else updated_at + make_interval(days => $2::integer) end
where id in (
  select id from request
  where evidence_due_at is null and erased_at is null and status in ('GENERATED', 'REFUSED', 'CANCELLED', 'EXPIRED')
  limit 500 for update skip locked
) returning 1`;

/**
 * Erases every request whose retention is over at `now`, each batch a transaction of its own. What an older release
 * ended gets its date first.
 * @returns how many requests were erased
 */
export async function sweepRetention(
  database: Pick<Database, 'statement'>,
  { now, days }: { now: Date; days: RetentionDays },
): Promise<number> {
  const params = [days.issuedDays, days.unissuedDays];
  await database.statement({ name: 'date-undated', text: dateUndated, params });
  for (let erased = 0; ; ) {
    const rows = await database.statement(eraseDueStatement(now));
    erased += rows.length;
    if (rows.length < eraseDueBatch) return erased;
  }
}
