import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import type { RetentionDays } from '../request/determine-retention.ts';
import { eraseBatchRows, eraseDue } from './erase-statement.ts';

const dateUndated = statement<RetentionDays>({
  name: 'date-undated',
  sql: `
update request set evidence_due_at = case status
  when 'GENERATED' then not_after + make_interval(days => :issuedDays::integer)
  else updated_at + make_interval(days => :unissuedDays::integer) end
where id in (
  select id from request
  where evidence_due_at is null and erased_at is null and status in ('GENERATED', 'REFUSED', 'CANCELLED', 'EXPIRED')
  limit 500 for update skip locked
) returning 1`,
});

/**
 * Erases every request whose retention is over at `now`, each batch in its own transaction. Requests that an
 * older release ended get their date first.
 * @returns number of erased requests
 */
export async function sweepRetention(
  database: Pick<Database, 'statement' | 'transaction'>,
  { now, days }: { now: Date; days: RetentionDays },
): Promise<number> {
  await dateUndated.run(database, days);
  for (let erased = 0; ; ) {
    const rows = await eraseDue(database, now);
    erased += rows.length;
    if (rows.length < eraseBatchRows) return erased;
  }
}
