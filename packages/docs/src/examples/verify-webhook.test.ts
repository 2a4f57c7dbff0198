import vectors from '@rubrica/contracts/webhook-vectors.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { verifyWebhook } from './verify-webhook.ts';

interface Vector {
  readonly verifyWith: readonly string[];
  readonly now: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

function verified({ headers, body, verifyWith, now }: Vector) {
  return verifyWebhook({ headers, body: Buffer.from(body), secrets: verifyWith }, now * 1_000);
}

test.each(vectors.valid)('the published example takes $name', (vector) => {
  expect(verified(vector)).toEqual({
    id: vector.headers['webhook-id'],
    event: JSON.parse(vector.body),
  });
});

const words: Readonly<Record<string, string>> = {
  MISSING_HEADER: 'is missing',
  BAD_TIMESTAMP: 'too old',
  TOO_OLD: 'too old',
  TOO_NEW: 'from the future',
  WRONG_SIGNATURE: 'none of the signatures',
};

test.each(vectors.invalid)('the published example refuses $name', (vector) => {
  expect(() => verified(vector)).toThrow(words[vector.fault]);
});
