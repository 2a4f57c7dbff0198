import vectors from '@rubrica/contracts/webhook-vectors.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { readVerificationKey } from './secrets.ts';
import { verifyCall } from './verify.ts';

interface Vector {
  readonly verifyWith: readonly string[];
  readonly now: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

const named = (secrets: readonly string[]) =>
  secrets.map((secret, index) => ({ name: `secret ${index + 1}`, key: readVerificationKey(secret) }));

const judge = ({ verifyWith, now, headers, body }: Vector, strangers: readonly string[] = []) =>
  verifyCall(
    { headers, body: Buffer.from(body) },
    { keys: named(verifyWith), strangers: named(strangers), nowMs: now * 1_000 + 999 },
  );

test.each(vectors.valid)('taken: $name', (vector) => {
  expect(judge(vector)).toMatchObject({ valid: true });
});

test.each(vectors.invalid)('refused: $name', (vector) => {
  expect(judge(vector)).toMatchObject({ valid: false, fault: vector.fault });
});

const example: Vector = vectors.valid[0] as (typeof vectors.valid)[number];
const message = (vector: Vector, strangers?: readonly string[]) => {
  const verdict = judge(vector, strangers);
  return verdict.valid ? 'valid' : verdict.message;
};
const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

test('a call that was kept back says how old it is, and that its signature is right', () => {
  expect(message({ ...example, now: example.now + 700 })).toBe(
    'too old: signed 702 s ago, 300 s are allowed, though the signature is right',
  );
});

test('a call with only the signature left says which headers are missing', () => {
  const headers = { 'webhook-signature': example.headers['webhook-signature'] };
  expect(message({ ...example, headers })).toBe('not signed: webhook-id, webhook-timestamp are missing');
});

test("a call signed with another partner's secret says whose", () => {
  expect(message({ ...example, verifyWith: [other] }, example.verifyWith)).toBe(
    'wrong signature: made with the secret of secret 1',
  );
});

test('a call without a signature of the version in use says so', () => {
  const ed25519 = vectors.valid.find(({ name }) => name === 'ed25519') as Vector;
  expect(message({ ...ed25519, verifyWith: [other] })).toBe('no signature of version v1 among those given');
});

test.each([
  ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'begins with "whsec_"'],
  ['whsec_', 'comes base64'],
  ['whsec_MfKQ9r8GKYqr*TwjUPD8ILPZIo2LaLaSw', 'comes base64'],
  ['whsec_MfKQ', 'this one has 3'],
  ['whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'has 32 bytes'],
  ['whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whpk_'],
])('the secret %s is refused in words that do not quote it', (secret, words) => {
  const read = () => readVerificationKey(secret);
  expect(read).toThrow(words);
  expect(read).not.toThrow('MfKQ');
});
