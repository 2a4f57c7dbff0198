import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, inbox, TransactionRequired } from '../src/index.ts';
import { type Fixture, fixture } from './support/fixture.ts';

let shared: Fixture;
let database: Database;
beforeAll(async () => {
  shared = await fixture();
  database = shared.open();
});
afterAll(() => shared[Symbol.asyncDispose]());

const receive = (consumer: string, messageId: string) =>
  database.transaction((em) => inbox(em, { consumer, messageId }));

test('a message is new once per consumer', async () => {
  expect(await receive('worker', 'm1')).toBe(true);
  expect(await receive('worker', 'm1')).toBe(false);
  expect(await receive('other-worker', 'm1')).toBe(true);
});

test('a message whose transaction rolled back is new again', async () => {
  const failing = database.transaction(async (em) => {
    await inbox(em, { consumer: 'worker', messageId: 'm2' });
    throw new Error('effect failed');
  });
  await expect(failing).rejects.toThrow('effect failed');
  expect(await receive('worker', 'm2')).toBe(true);
});

test('of two transactions with the same message only one sees it as new', async () => {
  const results = await Promise.all([receive('worker', 'm3'), receive('worker', 'm3')]);
  expect(results.toSorted()).toEqual([false, true]);
});

test('outside a transaction it throws, because the record would not commit with the effect', async () => {
  await expect(inbox(database.fork(), { consumer: 'worker', messageId: 'm4' })).rejects.toThrow(
    TransactionRequired,
  );
});
