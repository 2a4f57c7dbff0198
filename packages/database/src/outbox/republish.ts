import type { SqlRunner } from '../connection/sql-runner.ts';

const batchRows = 5_000;

const requeue = `
update outbox set published_at = null, publish_count = publish_count + 1
where id in (
  select id from outbox
  where created_at >= $1::timestamptz and created_at <= $2::timestamptz and id > $3::bigint
    and ($4::text[] is null or subject = any($4)) and published_at is not null
  order by id limit ${batchRows}
)
returning id`;

/**
 * Rebuilds JetStream from the ledger after its storage was lost: marks what was published in a span of time as
 * unpublished, so that the relay sends it again under a new message id. Consumers meet messages they have seen;
 * their inbox and fences absorb that.
 * @returns the number of messages to be sent again.
 */
export async function republish(
  database: SqlRunner,
  span: { since: Date; until?: Date; subjects?: readonly string[] },
): Promise<number> {
  const until = span.until ?? new Date();
  let total = 0;
  let last = '0';
  for (;;) {
    // Each batch commits alone, so that a long rebuild neither bloats the table nor starts over after a fault.
    const rows = await database.execute<{ id: string }>(requeue, [span.since, until, last, span.subjects]);
    total += rows.length;
    if (rows.length < batchRows) return total;
    last = rows.reduce((highest, { id }) => (BigInt(id) > BigInt(highest) ? id : highest), last);
  }
}

/** What goes out as `Nats-Msg-Id`: under the old id JetStream would swallow a repeat inside its window. */
export function publishedMessageId(messageId: string, publishCount: number): string {
  return publishCount === 0 ? messageId : `${messageId}~${publishCount}`;
}
