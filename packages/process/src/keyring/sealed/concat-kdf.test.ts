import { createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto';
import { expect, it } from 'vitest';
import { concatKdf } from './concat-kdf.ts';

it('derives the key of RFC 7518 appendix C', () => {
  const alice = {
    kty: 'EC',
    crv: 'P-256',
    x: 'gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0',
    y: 'SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps',
    d: '0_NxaRPUMQoAJt50Gz8YiTr8gRTwyEaCumd-MToTmIo',
  };
  const bob = {
    kty: 'EC',
    crv: 'P-256',
    x: 'weNJy2HscCSM6AEDTDg04biOvhFhyyWvOHQfeF_PxMQ',
    y: 'e8lnCO-AlStT-NJVX-crhB7QRYhiix03illJOVAOyck',
  };
  const sharedSecret = diffieHellman({
    privateKey: createPrivateKey({ key: alice, format: 'jwk' }),
    publicKey: createPublicKey({ key: bob, format: 'jwk' }),
  });
  const key = concatKdf(sharedSecret, { algorithm: 'A128GCM', bits: 128, partyU: 'Alice', partyV: 'Bob' });
  expect(key.toString('base64url')).toBe('VqqN6vgjbSBcIijNcacQGg');
});

it('makes another key for another algorithm, length or party', () => {
  const sharedSecret = Buffer.alloc(32, 7);
  const keys = [
    { algorithm: 'ECDH-ES+A256KW', bits: 256 },
    { algorithm: 'ECDH-ES+A192KW', bits: 256 },
    { algorithm: 'ECDH-ES+A256KW', bits: 256, partyU: 'a' },
    { algorithm: 'ECDH-ES+A256KW', bits: 256, partyV: 'a' },
  ] as const;
  const made = keys.map((use) => concatKdf(sharedSecret, use).toString('hex'));
  expect(new Set(made).size).toBe(made.length);
  expect(made.every((key) => key.length === 64)).toBe(true);
  expect(concatKdf(sharedSecret, { algorithm: 'ECDH-ES+A256KW', bits: 192 })).toHaveLength(24);
});
