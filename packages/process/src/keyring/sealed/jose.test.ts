import { CompactEncrypt, type CompactJWEHeaderParameters, compactDecrypt, importJWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { binding, headerOf, makeSealing } from '../../../test/sealing.ts';

const sealing = makeSealing();
const alg = 'ECDH-ES+A256KW';
const understood = { pur: true, own: true };
const sizes = [0, 1, 15, 16, 17, 1_000, 100_000];

const theirHeader: CompactJWEHeaderParameters = {
  alg,
  enc: 'A256GCM',
  kid: sealing.kid,
  pur: binding.purpose,
  own: binding.owner,
  crit: ['pur', 'own'],
};

async function theirs(data: Uint8Array, header = theirHeader): Promise<string> {
  return new CompactEncrypt(data)
    .setProtectedHeader(header)
    .encrypt(await importJWK(sealing.publicJwk, alg), { crit: understood });
}

describe('jose', () => {
  it.each(sizes)(
    'opens %i bytes that we have sealed, also under an agreed key that serves again',
    async (size) => {
      const data = Buffer.alloc(size, 0xe7);
      for (const message of [sealing.seal(data), sealing.seal(data)]) {
        const { plaintext, protectedHeader } = await compactDecrypt(
          message,
          await importJWK(sealing.jwk, alg),
          {
            crit: understood,
            keyManagementAlgorithms: [alg],
            contentEncryptionAlgorithms: ['A256GCM'],
          },
        );
        expect(Buffer.from(plaintext).equals(data)).toBe(true);
        expect(protectedHeader).toEqual({ ...theirHeader, epk: headerOf(message).epk });
      }
    },
  );

  it('opens nothing of ours without having been told of purpose and owner', async () => {
    const key = await importJWK(sealing.jwk, alg);
    await expect(compactDecrypt(sealing.seal('x'), key)).rejects.toThrow('"pur" is not recognized');
  });

  it.each(sizes)('writes %i bytes that we open', async (size) => {
    const data = Buffer.alloc(size, 0x3c);
    expect(sealing.open(await theirs(data), binding).equals(data)).toBe(true);
  });

  it.each([
    ['the agreed key without wrapping', { alg: 'ECDH-ES' }],
    ['a shorter wrapping key', { alg: 'ECDH-ES+A128KW' }],
    ['another content encryption', { enc: 'A128GCM' }],
    ['CBC and HMAC', { enc: 'A256CBC-HS512' }],
    ['a member that is not known', { cty: 'text/plain' }],
    ['no key id', { kid: undefined }],
  ])('writes %s, and we refuse it', async (_what, change) => {
    const header = { ...theirHeader, ...change } as CompactJWEHeaderParameters;
    const message = await new CompactEncrypt(Buffer.from('x'))
      .setProtectedHeader(header)
      .encrypt(await importJWK(sealing.publicJwk, header.alg), { crit: understood });
    expect(() => sealing.open(message, binding)).toThrow(expect.objectContaining({ fault: 'malformed' }));
  });

  it('writes a purpose outside crit, and we refuse it', async () => {
    const { crit: _, ...header } = theirHeader;
    const message = await theirs(Buffer.from('x'), header);
    expect(() => sealing.open(message, binding)).toThrow(expect.objectContaining({ fault: 'malformed' }));
  });
});
