import { expect, test } from 'vitest';
import { createInFlight } from './in-flight.ts';
import type { OutboxRow } from './relay-sql.ts';

const row = (id: string): OutboxRow => ({
  id,
  message_id: id,
  subject: 'jobs.a',
  payload: {},
  headers: {},
  publish_count: 0,
  age_seconds: 0,
});

test('what is acknowledged is handed out once for marking', () => {
  const inFlight = createInFlight();
  inFlight.start(row('1'), 0);
  inFlight.start(row('2'), 0);
  inFlight.acknowledged(row('2'));
  expect(inFlight.awaitedIds()).toEqual(['1']);
  expect(inFlight.takeAcknowledged()).toEqual(['2']);
  expect(inFlight.takeAcknowledged()).toEqual([]);
});

test('a row given up no longer counts as failed, but its late acknowledgement is marked', () => {
  const inFlight = createInFlight();
  inFlight.start(row('1'), 0);
  inFlight.start(row('2'), 100);
  expect(inFlight.expire(50).map(({ id }) => id)).toEqual(['1']);
  expect(inFlight.size).toBe(1);
  expect(inFlight.failed(row('1'))).toBe(false);
  inFlight.acknowledged(row('1'));
  expect(inFlight.takeAcknowledged()).toEqual(['1']);
});
