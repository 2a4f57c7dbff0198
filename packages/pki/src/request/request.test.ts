import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeKey, signatureOf, type TestKey } from '../../test/fixtures.ts';
import { mutated } from '../../test/mutate.ts';
import { keySigner } from '../certificate/key-signer.ts';
import { assembleSigned } from '../certificate/tbs.ts';
import { encodeSet, integer, sequence, tlv } from '../der/write.ts';
import { encodeName, formatName } from '../name/distinguished-name.ts';
import { certificationRequestTbs, signCertificationRequest } from './build.ts';
import {
  detectKeyAlgorithm,
  MAX_CERTIFICATION_REQUEST_BYTES,
  type ParsedCertificationRequest,
  parseCertificationRequest,
  provesPossession,
} from './parse.ts';

const subject = [
  { type: 'countryName', value: 'EC' },
  { type: 'organizationName', value: 'Ejemplo S.A.' },
  { type: 'commonName', value: 'Firma Ejemplo Issuing CA 2' },
] as const;

type Kind = 'rsa' | 'ec';
const keys = {} as Record<Kind, TestKey>;
const good = {} as Record<Kind, Uint8Array>;

function requestOf(kind: Kind, key: TestKey): Promise<Uint8Array> {
  const tbs = certificationRequestTbs({ subject, spki: key.spki });
  return signCertificationRequest(tbs, signatureOf(kind), keySigner(key.privateKey));
}

beforeAll(async () => {
  for (const kind of ['rsa', 'ec'] as const) {
    keys[kind] = makeKey(kind);
    good[kind] = await requestOf(kind, keys[kind]);
  }
});

function read(der: Uint8Array): ParsedCertificationRequest {
  const result = parseCertificationRequest(der);
  if (!result.ok) throw new Error(result.error.reason);
  return result.value;
}

describe.each([
  ['rsa', 'RSA_2048'],
  ['ec', 'P_256'],
] as const)('a certification request of an %s key', (kind, algorithm) => {
  it('gives back name and key, and proves that the key is at hand', () => {
    const request = read(good[kind]);
    expect(formatName(request.subject)).toBe('C=EC, O=Ejemplo S.A., CN=Firma Ejemplo Issuing CA 2');
    expect(Buffer.from(request.publicKey.raw)).toEqual(Buffer.from(keys[kind].spki));
    expect(detectKeyAlgorithm(request.publicKey)).toBe(algorithm);
    expect(provesPossession(request)).toBe(true);
  });

  it('proves nothing when it is signed by another key, or for another name', async () => {
    const tbs = certificationRequestTbs({ subject, spki: keys[kind].spki });
    const thief = keySigner(makeKey(kind).privateKey);
    const stolen = await signCertificationRequest(tbs, signatureOf(kind), thief);
    expect(provesPossession(read(stolen))).toBe(false);
    const renamed = Buffer.from(good[kind]);
    renamed.write('2', renamed.indexOf('Issuing CA 2') - 2);
    expect(provesPossession(read(renamed))).toBe(false);
  });

  it('proves nothing under the name of another algorithm, or with a signature that is no octets', () => {
    const { tbs, signature } = read(good[kind]);
    const other = signatureOf(kind === 'rsa' ? 'ec' : 'rsa');
    const misnamed = assembleSigned({ tbs, signatureAlgorithm: other, signature: signature.bytes });
    expect(provesPossession(read(misnamed))).toBe(false);
    expect(provesPossession({ ...read(good[kind]), signature: { ...signature, unusedBits: 1 } })).toBe(false);
  });

  it('damaged in 3,000 ways is read and refused without an exception, and proves nothing', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        fc.oneof({ weight: 9, arbitrary: mutated(good[kind]) }, fc.uint8Array({ maxLength: 400 })),
        (bytes) => {
          const result = parseCertificationRequest(bytes);
          if (!result.ok) {
            seen.add(result.error.code);
            return;
          }
          const same = Buffer.compare(bytes, good[kind]) === 0;
          seen.add('read');
          expect(provesPossession(result.value)).toBe(same);
        },
      ),
      { numRuns: 3_000 },
    );
    expect(seen).toEqual(new Set(['MALFORMED', 'read']));
  });
});

describe('a certification request', () => {
  const name = encodeName(subject);
  const attribute = sequence(Buffer.from('06092a864886f70d01090e', 'hex'), encodeSet(sequence()));
  const withParts = (...parts: Uint8Array[]) =>
    assembleSigned({
      tbs: sequence(...parts),
      signatureAlgorithm: 'ecdsa-with-SHA256',
      signature: Buffer.alloc(70),
    });

  it.each([
    ['that asks for extensions', () => withParts(integer(0), name, keys.ec.spki, tlv(0xa0, attribute))],
    ['of another version', () => withParts(integer(1), name, keys.ec.spki, tlv(0xa0))],
    ['without the set of attributes', () => withParts(integer(0), name, keys.ec.spki)],
    ['without a key', () => withParts(integer(0), name, name, tlv(0xa0))],
    ['of more octets than any', () => new Uint8Array(MAX_CERTIFICATION_REQUEST_BYTES + 1)],
    ['with something behind it', () => Buffer.concat([good.ec, Buffer.alloc(1)])],
    ['that is empty', () => new Uint8Array()],
  ])('%s is refused', (_, make) => {
    expect(parseCertificationRequest(make())).toMatchObject({ ok: false, error: { code: 'MALFORMED' } });
  });

  it.each([
    ['of 1,024 bits', generateKeyPairSync('rsa', { modulusLength: 1024 })],
    ['with the exponent 3', generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 })],
    ['on another curve', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['of another kind', generateKeyPairSync('ed25519')],
  ])('for a key %s proves nothing: no authority may have it', async (_, { publicKey, privateKey }) => {
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    const tbs = certificationRequestTbs({ subject, spki });
    const isRsa = publicKey.asymmetricKeyType === 'rsa';
    const algorithm = signatureOf(isRsa ? 'rsa' : 'ec');
    const sign =
      publicKey.asymmetricKeyType === 'ed25519' ? async () => Buffer.alloc(64) : keySigner(privateKey);
    const request = read(await signCertificationRequest(tbs, algorithm, sign));
    expect(detectKeyAlgorithm(request.publicKey)).toBeUndefined();
    expect(provesPossession(request)).toBe(false);
  });

  it('for a point that is not on the curve proves nothing', () => {
    const damaged = Buffer.from(good.ec);
    const last = damaged.indexOf(keys.ec.spki) + keys.ec.spki.length - 1;
    damaged[last] = (damaged[last] ?? 0) ^ 1;
    expect(provesPossession(read(damaged))).toBe(false);
  });
});
