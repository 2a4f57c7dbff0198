import { pollFor } from '@rubrica/testkit';
import type { Client } from 'pg';

/** Waits until every registration has had its checks, its certificate and its webhook: all queues are empty. */
export async function awaitFinished(database: Client, deadlineMs = 180_000): Promise<void> {
  await pollFor(
    async () => {
      const { rows } = await database.query<{ left: number }>(`
        select (select count(*) from intake.outbox where published_at is null)
          + (select count(*) from intake.request
             where status in ('REGISTERED', 'GENERATING') or validation_status = 'AUTOMATICALLY_VALIDATING')
          + (select count(*) from notifier.delivery where state = 'PENDING') as left`);
      return Number(rows[0]?.left) === 0;
    },
    { deadlineMs, everyMs: 50, what: 'the end of all that was begun' },
  );
}
