import type { Client } from 'pg';

/**
 * So many certificates that end within 30 days, copied from one that was issued: each with a request of its own, whose reminder
 * of thirty days is due now. For a database of its own: what it writes can be neither opened nor verified.
 */
export async function fillReminders(client: Client, count: number): Promise<void> {
  await client.query('set synchronous_commit = off; set session_replication_role = replica');
  await client.query(
    `insert into intake.request
     select copy.*
     from (select request from intake.request where status = 'GENERATED' limit 1) as one,
       generate_series(1, $1::integer) as n,
       jsonb_populate_record(one.request, jsonb_build_object(
       'id', gen_random_uuid(), 'reference_transaction', 'DUE-' || n, 'serial_number', lpad(to_hex(n), 32, '0'),
       'claim_token_sha256', null, 'callback_url', null, 'not_before', now() - interval '336 days',
       'not_after', now() + interval '29 days 20 hours', 'next_reminder_at', now(), 'evidence_due_at', now() + interval '5 years'
     )) as copy`,
    [count],
  );
  await client.query('reset session_replication_role; reset synchronous_commit');
  await client.query('vacuum analyze intake.request');
}

/** All copies spend the rate by one row: while it lies ahead nothing is sent. */
export async function holdReminders(client: Client, held: boolean): Promise<void> {
  await client.query(`update intake.reminder_pace set spent_until = now() + $1::interval`, [
    held ? '1 day' : '0',
  ]);
}

export async function countReminders(
  client: Client,
): Promise<{ due: number; written: number; sent: number }> {
  const { rows } = await client.query<{ due: number; written: number; sent: number }>(
    `select (select count(*) from intake.request where next_reminder_at <= now())::integer as due,
       (select count(*) from intake.message where template = 'end-reminder')::integer as written,
       (select count(*) from notifier.message where template = 'end-reminder' and state = 'SENT')::integer as sent`,
  );
  return rows[0] ?? { due: 0, written: 0, sent: 0 };
}
