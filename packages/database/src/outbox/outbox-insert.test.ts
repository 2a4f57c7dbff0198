import { expect, test } from 'vitest';
import { emitting } from './outbox-insert.ts';
import { publishedMessageId } from './published-message-id.ts';

test('what a message depends on is a plain name', () => {
  expect(emitting({ from: 'request', gives: 'id' })).toMatch(/ from "request"$/);
  expect(() => emitting({ from: 'request; drop table x', gives: 'id' })).toThrow(TypeError);
});

test('a repeat goes out under another id, the first time under its own', () => {
  expect(publishedMessageId('m1', 0)).toBe('m1');
  expect(publishedMessageId('m1', 2)).toBe('m1~2');
});
