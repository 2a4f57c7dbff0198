import type { SessionStatement } from '../connection/own-session.ts';
import type { EmittedRow } from '../outbox/emitted.ts';

/** Unpublished outbox row. */
export interface OutboxRow extends EmittedRow {
  readonly publish_count: number;
  /** Age when the relay had the row; if it was read, by the database's clock. */
  readonly age_seconds: number;
}

const columns = `id, message_id, subject, payload, headers, publish_count,
  extract(epoch from clock_timestamp() - created_at)::float8 as age_seconds`;

const markPublished =
  'update outbox set published_at = clock_timestamp() where id = any($1::bigint[]) and published_at is null';

/** Parameters: acknowledged ids. */
export const mark: SessionStatement = { name: 'mark', text: markPublished };

/**
 * Marks acknowledged rows and reads unpublished ones, in one statement. It always reads all that is unpublished. A
 * condition "id greater than the last" is wrong: ids are assigned before commits, so a lower one may appear later.
 * Parameters: acknowledged ids, ids not to read, closed subjects, row limit.
 */
export const markAndRead: SessionStatement = {
  name: 'markAndRead',
  text: `
with marked as (${markPublished})
select ${columns} from outbox
where published_at is null and id <> all($2::bigint[]) and subject <> all($3::text[])
order by id limit $4`,
};

/** Reads the last one of the oldest rows of a subject. Parameters: subject, ids not to read, number of rows. */
export const readOldestOfSubject: SessionStatement = {
  name: 'readOldestOfSubject',
  text: `
select ${columns} from (
  select * from outbox where published_at is null and subject = $1 and id <> all($2::bigint[])
  order by id limit $3
) as oldest order by id desc limit 1`,
};

/** Counts at most 10,000: beyond that the exact number matters less than not reading a huge backlog. */
export const readBacklog: SessionStatement = {
  name: 'readBacklog',
  text: `
select count(*)::int as rows,
  coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as oldest_seconds
from (select created_at from outbox where published_at is null order by id limit 10000) as unpublished`,
};

/** Wakes the active relay. Parameter: its channel. */
export const notify: SessionStatement = { name: 'notify', text: `select pg_notify($1, '')` };

/** Wakes this session when another copy notifies. */
export function listenTo(schema: string): SessionStatement {
  return { text: `listen "${channelName(schema)}"` };
}

/** Lock of the active relay, in the schema of its outbox. */
export function relayLock(schema: string) {
  return { name: 'relay', previous: `rubrica relay ${schema}` };
}

export function channelName(schema: string) {
  return `rubrica_outbox_${schema}`;
}
