import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, test } from 'vitest';
import { lockName } from '../src/lock/index.ts';
import { createSweeper, purgeOutbox, republishDue, type SweeperTask } from '../src/sweeper/index.ts';
import { fixture, until } from './support/fixture.ts';
import { quiet } from './support/quiet.ts';

const shared = await disposeAfterAll(
  fixture({
    sql: `create table deliveries (id text primary key, state text not null default 'PENDING',
    due_at timestamptz not null default now(), publish_count integer not null default 0)`,
  }),
);
const database = shared.open();

beforeEach(() => shared.service.database.query('truncate intake.deliveries, intake.outbox'));

const sweeperOf = (tasks: SweeperTask[], intervalMs = 60_000) =>
  createSweeper({ database, tasks, logger: quiet, intervalMs });

const wakeDeliveries = republishDue({
  name: 'wake-deliveries',
  table: 'deliveries',
  unfinished: "state = 'PENDING'",
  subject: "'jobs.webhook.deliver'",
  payload: "jsonb_build_object('deliveryId', id)",
  messageId: "'deliver-' || id",
  againAfterSeconds: 120,
});

test('what is unfinished and due is published again, each time under the next publish count', async () => {
  await database.execute(`insert into deliveries (id, state, due_at) values
    ('late', 'PENDING', now() - interval '1 minute'), ('early', 'PENDING', now() + interval '1 minute'),
    ('done', 'DONE', now() - interval '1 minute')`);
  const sweeper = sweeperOf([wakeDeliveries]);
  expect(await sweeper.sweep()).toEqual({ 'wake-deliveries': 1 });
  expect(await sweeper.sweep()).toEqual({ 'wake-deliveries': 0 });
  await database.execute("update deliveries set due_at = now() - interval '1 second' where id = 'late'");
  await sweeper.sweep();
  const rows = await database.execute('select message_id, subject, payload from outbox order by id');
  expect(rows).toEqual(
    [1, 2].map((count) => ({
      message_id: `deliver-late.${count}`,
      subject: 'jobs.webhook.deliver',
      payload: { deliveryId: 'late' },
    })),
  );
});

test('two copies sweeping at the same time publish a due row once', async () => {
  await database.execute(`insert into deliveries (id, due_at)
    select 'd' || i, now() - interval '1 minute' from generate_series(1, 200) as i`);
  const copies = [1, 2, 3].map(() => sweeperOf([wakeDeliveries]).sweep());
  const total = (await Promise.all(copies)).reduce((sum, rows) => sum + (rows['wake-deliveries'] ?? 0), 0);
  expect(total).toBe(200);
  expect(await database.execute('select 1 from outbox')).toHaveLength(200);
});

test('a task that is running in another copy is left out', async () => {
  await database.execute("insert into deliveries (id, due_at) values ('d1', now() - interval '1 minute')");
  const otherCopy = shared.open();
  await otherCopy.transaction(async (em) => {
    await lockName(em, 'sweeper wake-deliveries');
    expect(await sweeperOf([wakeDeliveries]).sweep()).toEqual({ 'wake-deliveries': 0 });
  });
  expect(await sweeperOf([wakeDeliveries]).sweep()).toEqual({ 'wake-deliveries': 1 });
});

test('a failing task does not keep the others from running', async () => {
  const failing = { name: 'failing', text: 'select 1 / 0' };
  const working = { name: 'working', text: 'select 1' };
  expect(await sweeperOf([failing, working]).sweep()).toEqual({ working: 1 });
});

test('a row that fails its batch keeps no other of it from being handled', async () => {
  await database.execute(`insert into deliveries (id, due_at, publish_count) values
    ('good1', now() - interval '3 minutes', 0), ('bad1', now() - interval '2 minutes', 2147483647),
    ('bad2', now() - interval '2 minutes', 2147483647), ('good2', now() - interval '1 minute', 0)`);
  const failing = { name: 'failing', text: 'select 1 / 0', batchRows: 5 };
  expect(await sweeperOf([failing, wakeDeliveries]).sweep()).toEqual({ 'wake-deliveries': 2 });
  const rows = await database.execute('select message_id from outbox order by id');
  expect(rows).toEqual([{ message_id: 'deliver-good1.1' }, { message_id: 'deliver-good2.1' }]);
});

test('rounds follow each other without overlapping and end with stop', async () => {
  const rounds: string[] = [];
  const sweeper = createSweeper({
    database,
    logger: quiet,
    intervalMs: 10,
    tasks: [{ name: 'count', text: 'select 1 from pg_sleep(0.05)' }],
    swept: ({ task }) => rounds.push(task),
  });
  sweeper.start();
  await until(
    () => rounds.length,
    (count) => count >= 3,
  );
  const [row] = await shared.service.database.query<{ n: number }>(
    "select count(*)::int as n from pg_stat_activity where query like '%pg_sleep(0.05)%' and state = 'active' and pid <> pg_backend_pid()",
  );
  expect(row?.n).toBeLessThanOrEqual(1);
  await sweeper.stop();
  const atStop = rounds.length;
  await sweeper.sweep();
  expect(rounds).toHaveLength(atStop);
});

test('published rows are purged after 14 days and unpublished ones never, in batches', async () => {
  await database.execute(`insert into outbox (message_id, subject, payload, created_at, published_at)
    select 'old' || i, 'jobs.a', '{}', now() - interval '20 days',
      case when i % 100 = 0 then null else now() - interval '15 days' end
    from generate_series(1, 4500) as i`);
  await database.execute(`insert into outbox (message_id, subject, payload, published_at)
    values ('recent', 'jobs.a', '{}', now() - interval '13 days')`);
  expect(await sweeperOf([purgeOutbox()]).sweep()).toEqual({ 'purge-outbox': 4455 });
  const [left] = await database.execute<{ unpublished: number; recent: number }>(
    `select count(*) filter (where published_at is null)::int as unpublished,
      count(*) filter (where message_id = 'recent')::int as recent from outbox`,
  );
  expect(left).toEqual({ unpublished: 45, recent: 1 });
});
