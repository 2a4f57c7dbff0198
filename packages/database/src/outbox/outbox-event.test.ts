import { withContext } from '@rubrica/process/context';
import { expect, test } from 'vitest';
import { InvalidOutboxEvent, outboxRow } from './outbox-event.ts';

const event = { subject: 'jobs.a.b', id: 'm1', payload: { id: 'r1' } };

test('an event becomes its row, with the ids of the request it belongs to', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  expect(withContext({ requestId: 'r1', traceparent }, () => outboxRow(event))).toEqual({
    message_id: 'm1',
    subject: 'jobs.a.b',
    payload: { id: 'r1' },
    headers: { 'x-request-id': 'r1', traceparent },
  });
});

test('headers of the event go over those of the context', () => {
  const headers = { 'x-request-id': 'other' };
  const row = withContext({ requestId: 'r1' }, () => outboxRow({ ...event, headers }));
  expect(row.headers).toEqual(headers);
});

test.each(['', 'jobs..a', '.jobs', 'jobs.*', 'jobs.>', 'jobs a', 'jobs\r\nPUB x 0', 'a'.repeat(201)])(
  '%j is not taken as a subject',
  (subject) => {
    expect(() => outboxRow({ ...event, subject })).toThrow(InvalidOutboxEvent);
  },
);

test.each(['', 'a b', 'a\nb', 'ñ', 'a'.repeat(201)])('%j is not taken as a message id', (id) => {
  expect(() => outboxRow({ ...event, id })).toThrow(InvalidOutboxEvent);
});

test('a payload of more than 4,096 bytes is refused, counted in bytes', () => {
  const payload = (length: number) => ({ t: 'ñ'.repeat(length) });
  expect(() => outboxRow({ ...event, payload: payload(2_044) })).not.toThrow();
  expect(() => outboxRow({ ...event, payload: payload(2_045) })).toThrow('4098 bytes');
});
