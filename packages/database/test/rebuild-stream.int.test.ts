import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, test } from 'vitest';
import { rebuildStream } from '../src/rebuild/index.ts';
import { streamSeenSql } from '../src/rebuild/stream-seen-sql.ts';
import { fixture } from './support/fixture.ts';

const shared = await disposeAfterAll(fixture({ sql: streamSeenSql }));
const database = shared.open();

beforeEach(() => shared.service.database.query('truncate intake.outbox, intake.stream_seen'));

const queue = { name: 'JOBS', subjects: ['jobs.a.%'], isQueue: true };
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const none = '0001-01-01T00:00:00Z';

/** Rows that were published so many minutes ago, by message id. */
async function published(rows: Readonly<Record<string, number>>, subject = 'jobs.a.b'): Promise<void> {
  for (const [id, minutes] of Object.entries(rows)) {
    await database.execute(
      `insert into outbox (message_id, subject, payload, created_at, published_at)
      values ($1, $2, '{}', now() - $3 * interval '1 minute', now() - $3 * interval '1 minute')`,
      [id, subject, minutes],
    );
  }
}

const toPublish = async () =>
  (
    await database.execute<{ id: string }>(
      `select message_id || '~' || publish_count as id from outbox where published_at is null order by id`,
    )
  ).map(({ id }) => id);

const created = { old: '2026-11-01T08:00:00.123456789Z', anew: '2026-11-02T08:00:00.987654321Z' };

test('a stream seen for the first time, and the same stream again, send nothing again', async () => {
  await published({ one: 1 });
  const seen = { created: created.old, messages: 1, firstAt: ago(2) };
  expect(await rebuildStream(database, queue, seen)).toBe(0);
  expect(await rebuildStream(database, queue, seen)).toBe(0);
  expect(await toPublish()).toEqual([]);
});

test('of a queue that was made again, what may have waited is sent again, once, and nothing else', async () => {
  await published({ done: 60, oldest: 30, last: 1 });
  await published({ other: 1 }, 'jobs.other.b');
  await rebuildStream(database, queue, { created: created.old, messages: 2, firstAt: ago(30) });
  const lost = { created: created.anew, messages: 0, firstAt: none };
  expect(await rebuildStream(database, queue, lost)).toBe(2);
  expect(await toPublish()).toEqual(['last~1', 'oldest~1']);
  await database.execute('update outbox set published_at = now()');
  expect(await rebuildStream(database, queue, lost)).toBe(0);
  expect(await toPublish()).toEqual([]);
});

test('of an empty queue only what was published since is sent again', async () => {
  await published({ done: 5 });
  await rebuildStream(database, queue, { created: created.old, messages: 0, firstAt: none });
  await published({ since: 0 });
  const lost = { created: created.anew, messages: 0, firstAt: none };
  expect(await rebuildStream(database, queue, lost)).toBe(1);
  expect(await toPublish()).toEqual(['since~1']);
});

test('of a stream that keeps what was done, the last quarter of an hour is sent again', async () => {
  const events = { ...queue, isQueue: false };
  await published({ old: 20, young: 10 });
  await rebuildStream(database, events, { created: created.old, messages: 9, firstAt: ago(9_000) });
  const lost = { created: created.anew, messages: 0, firstAt: none };
  expect(await rebuildStream(database, events, lost)).toBe(1);
  expect(await toPublish()).toEqual(['young~1']);
});

test('a stream that says it is older than before, and two copies that look at once, send nothing twice', async () => {
  await published({ one: 0 });
  await rebuildStream(database, queue, { created: created.anew, messages: 1, firstAt: ago(1) });
  const older = { created: created.old, messages: 1, firstAt: ago(1) };
  expect(await rebuildStream(database, queue, older)).toBe(0);
  const lost = { created: '2026-11-03T08:00:00Z', messages: 0, firstAt: none };
  const counts = await Promise.all([1, 2, 3].map(() => rebuildStream(database, queue, lost)));
  expect(counts.toSorted()).toEqual([0, 0, 1]);
});
