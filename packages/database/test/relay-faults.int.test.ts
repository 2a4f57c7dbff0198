import { readFile } from 'node:fs/promises';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, test } from 'vitest';
import type { OutboxMessage } from '../src/relay/index.ts';
import { fixture, until } from './support/fixture.ts';
import { recorder } from './support/recorder.ts';
import { emitEach, numbered, relayCopy, unpublished } from './support/relays.ts';

const shared = await disposeAfterAll(fixture());

beforeEach(() => shared.service.database.query('truncate intake.outbox'));

test('while JetStream refuses, rows wait and few tries are made; when it is back all are published', async () => {
  const bus = recorder();
  let refused = 0;
  bus.refuse(() => {
    refused += 1;
    return true;
  });
  await using copy = relayCopy(shared, bus.publish);
  await emitEach(copy.database, numbered('m', 40));
  await until(
    () => refused,
    (count) => count > 5,
  );
  expect(await unpublished(copy.database)).toBe(40);
  bus.accept();
  await until(
    () => unpublished(copy.database),
    (count) => count === 0,
  );
  expect(bus.ids().toSorted()).toEqual(numbered('m', 40).toSorted());
  // Far fewer tries than rows × time: a closed subject is tried with one row at a time.
  expect(refused).toBeLessThan(60);
});

test('a subject whose stream is full does not hold up the others', async () => {
  const bus = recorder();
  bus.refuse(({ subject }) => subject === 'jobs.full.run');
  await using copy = relayCopy(shared, bus.publish, { tuning: { maxInFlight: 4 } });
  await emitEach(copy.database, numbered('full', 20), 'jobs.full.run');
  await emitEach(copy.database, numbered('free', 20), 'jobs.free.run');
  await until(
    () => bus.messages.length,
    (count) => count === 20,
  );
  expect(bus.ids()).toEqual(numbered('free', 20));
  bus.accept();
  await until(
    () => unpublished(copy.database),
    (count) => count === 0,
  );
});

test('one row that can never be published does not stop later ones of its subject', async () => {
  const bus = recorder();
  bus.refuse(({ id }) => id === 'bad');
  await using copy = relayCopy(shared, bus.publish);
  await emitEach(copy.database, ['bad', ...numbered('good', 10)]);
  await until(
    () => unpublished(copy.database),
    (count) => count === 1,
  );
  expect(bus.ids().toSorted()).toEqual(numbered('good', 10).toSorted());
});

test('a publish that is never answered is tried again', async () => {
  const bus = recorder();
  let calls = 0;
  const publish = async (message: OutboxMessage) => {
    calls += 1;
    if (calls === 1) await new Promise(() => {});
    return bus.publish(message);
  };
  await using copy = relayCopy(shared, publish, { tuning: { publishTimeoutMs: 100, pollMs: 50 } });
  await emitEach(copy.database, ['m0']);
  await until(
    () => unpublished(copy.database),
    (count) => count === 0,
  );
  expect(bus.ids()).toEqual(['m0']);
});

test('what was published since a time is sent again under a new message id, by the statement of the README', async () => {
  const bus = recorder();
  await using copy = relayCopy(shared, bus.publish);
  await emitEach(copy.database, ['m0', 'm1']);
  await emitEach(copy.database, ['other'], 'events.other');
  await until(
    () => unpublished(copy.database),
    (count) => count === 0,
  );
  const readme = await readFile(new URL('../src/relay/README.md', import.meta.url), 'utf8');
  const rebuild = /```sql\n(?<sql>update outbox[^`]+)```/.exec(readme)?.groups?.sql ?? '';
  const since = new Date(Date.now() - 60_000).toISOString();
  const sql = rebuild.replace('2026-11-20 09:00:00Z', since).replace('jobs.%', 'jobs.test.%');
  await copy.database.execute(sql);
  await until(
    () => bus.messages.length,
    (count) => count === 5,
  );
  expect(bus.ids()).toEqual(['m0', 'm1', 'other', 'm0~1', 'm1~1']);
});
