import type { Database } from '../connection/create-database.ts';
import { toSqlRunner } from '../connection/sql-runner.ts';
import { tryLockName } from '../lock/row-lock.ts';

export interface RebuiltStream {
  readonly name: string;
  /** Subjects of the outbox rows that it holds, as patterns of `like`: `jobs.validation.%`. */
  readonly subjects: readonly string[];
  /**
   * Messages leave the stream when they are done. In other streams, messages older than a quarter of an hour count as
   * done.
   */
  readonly isQueue: boolean;
}

/** State of the stream that the bus reports. */
export interface StreamSeen {
  /** RFC 3339, like `firstAt`. */
  readonly created: string;
  readonly messages: number;
  /** Time of the oldest message in it. */
  readonly firstAt: string;
}

/** Parameters: stream, created, messages, time of the oldest message, whether it is a queue. */
const lookSql = `
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

/** Ids increase with time, within a transaction's length: rows inserted a day earlier need not be examined. */
const republishSql = `
with again as (
  update outbox set published_at = null, publish_count = publish_count + 1
  where published_at >= $1::timestamptz and subject like any ($2::text[]) and id > coalesce((
    select id from outbox where created_at < $1::timestamptz - interval '1 day' order by id desc limit 1
  ), 0)
  returning 1
)
select count(*)::int as count from again`;

/**
 * Detects that a stream is not the one to which the outbox has published: it was emptied with the server's disk, or
 * deleted and created again. Every message that may have been waiting in it is then published again, under new message
 * ids; its worker must tolerate what it has already done.
 * @returns number of messages that are published again; 0 if nothing happened, or another copy of the service checks
 */
export async function rebuildStream(
  database: Pick<Database, 'transaction'>,
  { name, subjects, isQueue }: RebuiltStream,
  { created, messages, firstAt }: StreamSeen,
): Promise<number> {
  return database.transaction(async (em) => {
    const sql = toSqlRunner(em);
    if (!(await tryLockName(em, `rebuild ${name}`))) return 0;
    const [lost] = await sql.execute<{ since: Date }>(lookSql, [name, created, messages, firstAt, isQueue]);
    if (lost === undefined) return 0;
    await sql.execute("set local statement_timeout = '5min'");
    const [row] = await sql.execute<{ count: number }>(republishSql, [lost.since, subjects]);
    return row?.count ?? 0;
  });
}
