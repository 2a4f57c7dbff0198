import { expect, test } from 'vitest';
import vectors from '../../data/webhook-vectors.json' with { type: 'json' };
import { webhookBodies } from './webhooks.ts';

const named = (name: string) => vectors.valid.find((vector) => vector.name === name);

test('the vectors show bodies as they are sent', () => {
  expect(
    webhookBodies['certificate.issued'].safeParse(JSON.parse(named('an issued certificate')?.body ?? '')),
  ).toMatchObject({
    success: true,
  });
  const failed = named('a body with letters beyond ASCII, signed as its UTF-8 bytes');
  expect(webhookBodies['request.error'].safeParse(JSON.parse(failed?.body ?? ''))).toMatchObject({
    success: true,
  });
});

test('no two vectors have the same name, and every fault has a vector', () => {
  const names = [...vectors.valid, ...vectors.invalid].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect([...new Set(vectors.invalid.map(({ fault }) => fault))].sort()).toEqual([
    'BAD_TIMESTAMP',
    'MISSING_HEADER',
    'TOO_NEW',
    'TOO_OLD',
    'WRONG_SIGNATURE',
  ]);
});
