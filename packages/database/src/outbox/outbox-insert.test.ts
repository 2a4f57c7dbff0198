import { expect, test } from 'vitest';
import { outboxInsert } from './outbox-insert.ts';
import { publishedMessageId } from './published-message-id.ts';

test('parameters are numbered from the first one given', () => {
  expect(outboxInsert({ firstParam: 3 })).toBe(
    'insert into outbox (message_id, subject, payload, headers) select $3::text, $4::text, $5::jsonb, $6::jsonb',
  );
});

test('parameters are named where no number is given', () => {
  expect(outboxInsert({})).toMatch(/:messageId::text, :subject::text, :payload::jsonb, :headers::jsonb$/);
});

test('the source is a plain name', () => {
  expect(outboxInsert({ firstParam: 1, from: 'request' })).toMatch(/ from "request"$/);
  expect(() => outboxInsert({ firstParam: 1, from: 'request; drop table x' })).toThrow(TypeError);
});

test('a repeat goes out under another id, the first time under its own', () => {
  expect(publishedMessageId('m1', 0)).toBe('m1');
  expect(publishedMessageId('m1', 2)).toBe('m1~2');
});
