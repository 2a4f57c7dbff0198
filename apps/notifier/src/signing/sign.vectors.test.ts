import vectors from '@rubrica/contracts/webhook-vectors.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { buildSignatureHeaders } from './sign.ts';

const signable = vectors.valid.flatMap(({ name, signedWith, headers, body }) =>
  signedWith?.every((secret) => secret.startsWith('whsec_')) ? [{ name, signedWith, headers, body }] : [],
);

test.each(signable)('a delivery is signed as the vectors say: $name', ({ signedWith, headers, body }) => {
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000 + 999);
  const signed = buildSignatureHeaders(
    { id: headers['webhook-id'], at, body: Buffer.from(body) },
    signedWith,
  );
  expect(signed).toEqual(headers);
});
