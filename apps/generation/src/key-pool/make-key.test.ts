import { createPrivateKey, createPublicKey } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { createBackgroundMaker } from './background-maker.ts';
import { makeSubscriberKey } from './make-key.ts';

const background = createBackgroundMaker();
afterAll(background.close);

describe.each([
  ['for a job that waits', makeSubscriberKey],
  ['made ahead', background.make],
] as const)('a subscriber key %s', (_, make) => {
  it.each([
    ['RSA_2048', { modulusLength: 2048, publicExponent: 65537n }],
    ['RSA_3072', { modulusLength: 3072, publicExponent: 65537n }],
    ['P_256', { namedCurve: 'prime256v1' }],
  ] as const)('of %s is what it says, and its halves belong together', async (algorithm, details) => {
    const { spki, pkcs8 } = await make(algorithm);
    const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
    expect(key.asymmetricKeyDetails).toMatchObject(details);
    expect(createPublicKey(key).export({ format: 'der', type: 'spki' }).equals(spki)).toBe(true);
  });
});
