import type { Database } from '../connection/create-database.ts';
import { runnerOf } from '../connection/sql-runner.ts';
import { tryLockName } from '../lock/row-lock.ts';

export interface RebuiltStream {
  readonly name: string;
  /** Of the outbox's rows that it holds, as patterns of `like`: `jobs.validation.%`. */
  readonly subjects: readonly string[];
  /** A message leaves it when it has been worked on. In others, what is older than a quarter of an hour counts as done. */
  readonly isQueue: boolean;
}

/** What the bus says about it now. */
export interface StreamSeen {
  /** RFC 3339, as is `firstAt`. */
  readonly created: string;
  readonly messages: number;
  /** Of the oldest message in it. */
  readonly firstAt: string;
}

/** Parameters: stream, created, messages, time of the oldest message, whether it is a queue. */
const look = `
with now_seen as (
  select $1::text as stream, $2::timestamptz as created, case
    when not $5::boolean then now() - interval '15 minutes'
    when $3::bigint = 0 then now() - interval '1 minute'
    else greatest(least($4::timestamptz, now()) - interval '1 minute', now() - interval '1 day')
  end as settled_until
), before as (
  select s.created, s.settled_until from stream_seen as s where s.stream = $1
), kept as (
  insert into stream_seen as s (stream, created, settled_until) select stream, created, settled_until from now_seen
  on conflict (stream) do update set created = greatest(s.created, excluded.created),
    settled_until = greatest(s.settled_until, excluded.settled_until)
  where s.created < excluded.created or s.settled_until < excluded.settled_until
)
select greatest(before.settled_until, now() - interval '1 day') as since
from before, now_seen where before.created < now_seen.created`;

/** Ids rise with time, give or take a transaction: whatever was inserted a day before need not be looked at. */
const again = `
with again as (
  update outbox set published_at = null, publish_count = publish_count + 1
  where published_at >= $1::timestamptz and subject like any ($2::text[]) and id > coalesce((
    select id from outbox where created_at < $1::timestamptz - interval '1 day' order by id desc limit 1
  ), 0)
  returning 1
)
select count(*)::int as count from again`;

/**
 * Looks whether a stream is another than the one that the outbox has published to: it was emptied with the server's
 * disk, or deleted, and made again. Then whatever may have been waiting in it is published once more, under new
 * message ids; who works on it has to absorb what it had done.
 * @returns how many messages are published again; 0 where nothing happened, or another copy of the service looks.
 */
export async function rebuildStream(
  database: Pick<Database, 'transaction'>,
  { name, subjects, isQueue }: RebuiltStream,
  { created, messages, firstAt }: StreamSeen,
): Promise<number> {
  return database.transaction(async (em) => {
    const sql = runnerOf(em);
    if (!(await tryLockName(em, `rebuild ${name}`))) return 0;
    const [lost] = await sql.execute<{ since: Date }>(look, [name, created, messages, firstAt, isQueue]);
    if (lost === undefined) return 0;
    await sql.execute("set local statement_timeout = '5min'");
    const [row] = await sql.execute<{ count: number }>(again, [lost.since, subjects]);
    return row?.count ?? 0;
  });
}
