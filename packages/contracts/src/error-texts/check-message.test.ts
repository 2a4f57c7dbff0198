import { expect, test } from 'vitest';
import { z } from 'zod';
import { lineField, mailbox } from '../shared/fields.ts';
import { checkMessage, readCheckMessage, renderCheckMessage } from './check-message.ts';
import { createText } from './create-text.ts';

function readIssues(schema: z.ZodType, value: unknown) {
  return schema.safeParse(value).error?.issues.map(({ message }) => readCheckMessage(message));
}

test('the message of a check carries its text with the facts', () => {
  expect(readIssues(lineField(3), 'four')).toEqual([createText('field.maxCharacters', { count: 3 })]);
  expect(readIssues(mailbox, `${'a'.repeat(65)}@x.ec`)).toEqual([
    createText('field.emailLocalPart', { count: 64 }),
  ]);
});

test.each(['Invalid input', '', '{', '{}', '{"id":1}', '[]'])('the message %j carries none', (message) => {
  expect(readCheckMessage(message)).toBeUndefined();
  expect(readIssues(z.string(), 1)).toEqual([undefined]);
});

test('the message of a check is rendered in English for settings and logs', () => {
  expect(renderCheckMessage(checkMessage('field.minCharacters', { count: 8 }))).toBe(
    'must be at least 8 characters',
  );
  expect(renderCheckMessage('Invalid input')).toBe('Invalid input');
});
