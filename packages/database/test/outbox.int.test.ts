import { disposeAfterAll } from '@rubrica/testkit';
import { expect, test } from 'vitest';
import { TransactionRequired } from '../src/connection/errors.ts';
import { isUniqueViolation } from '../src/connection/index.ts';
import { emit } from '../src/outbox/index.ts';
import { fixture } from './support/fixture.ts';
import { testEvent } from './support/relays.ts';

const shared = await disposeAfterAll(fixture());
const database = shared.open();

const stored = async (id: string) =>
  (await database.execute('select 1 from outbox where message_id = $1', [id])).length;

test('emit outside a transaction throws and writes nothing', async () => {
  await expect(emit(database.fork(), testEvent('outside'))).rejects.toThrow(TransactionRequired);
  expect(await stored('outside')).toBe(0);
});

test('an event of a transaction that rolls back is gone, and nobody is nudged', async () => {
  let nudges = 0;
  const stopListening = database.onEmitted(() => {
    nudges += 1;
  });
  const failing = database.transaction(async (em) => {
    await emit(em, testEvent('rolled-back'));
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  stopListening();
  expect(await stored('rolled-back')).toBe(0);
  expect(nudges).toBe(0);
});

test('listeners are told after the outermost commit, when the event can be read', async () => {
  const seen: Promise<number>[] = [];
  const stopListening = database.onEmitted(() => void seen.push(stored('nested')));
  await database.transaction(async () => {
    await database.transaction((inner) => emit(inner, testEvent('nested')));
    expect(seen).toEqual([]);
  });
  stopListening();
  expect(await Promise.all(seen)).toEqual([1]);
});

test('a message id that is taken fails the transaction instead of being swallowed by JetStream', async () => {
  await database.transaction((em) => emit(em, testEvent('taken')));
  const again = await database.transaction((em) => emit(em, testEvent('taken'))).catch((error) => error);
  expect(isUniqueViolation(again, 'outbox_message_id_key')).toBe(true);
});

test('the table itself refuses subjects and message ids that are no NATS tokens', async () => {
  const insert = (id: string, subject: string) =>
    database.execute("insert into outbox (message_id, subject, payload) values ($1, $2, '{}')", [
      id,
      subject,
    ]);
  await expect(insert('x1', 'jobs.a\r\nPUB evil 0')).rejects.toThrow('outbox_subject_check');
  await expect(insert('x2', 'jobs.*')).rejects.toThrow('outbox_subject_check');
  for (const id of ['', 'with space', 'x\n', 'ñ', 'x'.repeat(201)])
    await expect(insert(id, 'jobs.a')).rejects.toThrow('outbox_message_id_check');
  await insert('!~'.repeat(100), 'jobs.a');
});
