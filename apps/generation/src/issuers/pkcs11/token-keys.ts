import { createHash, createPublicKey, type KeyObject, randomBytes, verify } from 'node:crypto';
import { forEachSlice, type KeyAlgorithm, keyAlgorithms, type Signer, type ToBeSigned } from '@rubrica/pki';
import { AppError } from '@rubrica/process/errors';
import type { AuthorityKeys, KeyOptions } from '../authority-keys.ts';
import type { Cryptoki, Template } from './cryptoki.ts';
import type { Token, TokenSession } from './token.ts';

// Attributes, values and mechanisms: PKCS #11 base specification v2.40 §4, mechanisms §2.1 (RSA) and §2.3 (EC).
const CKA = {
  class: 0x0,
  token: 0x1,
  private: 0x2,
  label: 0x3,
  id: 0x102,
  sensitive: 0x103,
  sign: 0x108,
  verify: 0x10a,
  modulus: 0x120,
  modulusBits: 0x121,
  publicExponent: 0x122,
  extractable: 0x162,
  ecParams: 0x180,
  ecPoint: 0x181,
} as const;
const privateKeyClass = 0x3;
const mechanisms = { makeRsa: 0x0, signRsa: 0x1, makeEc: 0x1040, signEc: 0x1041 } as const;

/** DigestInfo of a SHA-256 hash without the hash itself (RFC 8017 §9.2, note 1). */
const sha256DigestInfo = Buffer.from('3031300d060960864801650304020105000420', 'hex');
/** namedCurve secp256r1, an object identifier in DER (RFC 5480 §2.1.1.1). */
const p256 = Buffer.from('06082a8648ce3d030107', 'hex');

export interface TokenKeysOptions {
  readonly cryptoki: Cryptoki;
  readonly token: Token;
  /** Prefix of the labels of new keys. */
  readonly labelPrefix: string;
}

/** Creates the store of keys that are generated in a token, stay there and sign there. */
export function createTokenKeys({ cryptoki, token, labelPrefix }: TokenKeysOptions): AuthorityKeys {
  const refuseBeside = async (session: TokenSession, { notBeside = [] }: KeyOptions) => {
    for (const other of notBeside) await refuseKey(cryptoki, session, other);
  };
  const createSigner = (label: string, publicKey: KeyObject, options: KeyOptions) => (tbs: ToBeSigned) =>
    token.use(async (session) => {
      // Checked in each session, not once at the start: the token may be exchanged while the service runs.
      await refuseBeside(session, options);
      const key = await findKey(cryptoki, session, label);
      return signWith({ cryptoki, session, key }, publicKey, tbs);
    });
  return {
    async make(name, algorithm, options = {}) {
      // The random suffix avoids a collision with keys of an unfinished ceremony.
      const label = `${labelPrefix}-${name}-${randomBytes(3).toString('hex')}`;
      const publicKey = await token.change(async (session) => {
        await refuseBeside(session, options);
        return makeKey(cryptoki, session, { label, algorithm });
      });
      return {
        reference: { kind: 'pkcs11', label },
        publicKey,
        sign: createSigner(label, publicKey, options),
      };
    },
    async open(reference, publicKey, options = {}) {
      if (reference.kind !== 'pkcs11') throw new Error('the key is not in a token');
      const sign = createSigner(reference.label, publicKey, options);
      await proveKey(sign, publicKey);
      return sign;
    },
  };
}

/**
 * Proves that the key matches its certificate. An unavailable token does not prevent the start of a service: it signs
 * when the token is back.
 */
async function proveKey(sign: Signer, publicKey: KeyObject): Promise<void> {
  const challenge = randomBytes(32);
  try {
    if (!verify('sha256', challenge, publicKey, await sign(challenge))) {
      throw new Error("the key is not its certificate's");
    }
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE')) throw error;
  }
}

async function findKey(cryptoki: Cryptoki, session: TokenSession, label: string): Promise<bigint> {
  const known = session.keys.get(label);
  if (known !== undefined) return known;
  const [key, second] = await cryptoki.findObjects(session.handle, [
    [CKA.class, privateKeyClass],
    [CKA.label, Buffer.from(label, 'utf8')],
  ]);
  if (key === undefined) throw new Error(`the token has no private key labelled "${label}"`);
  if (second !== undefined) throw new Error(`the token has several private keys labelled "${label}"`);
  session.keys.set(label, key);
  return key;
}

/**
 * Refuses a token that holds that key, public or private.
 * @throws Error
 */
async function refuseKey(cryptoki: Cryptoki, session: TokenSession, publicKey: KeyObject): Promise<void> {
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const digest = createHash('sha256').update(spki).digest('hex');
  if (session.absent.has(digest)) return;
  for (const template of buildTemplates(publicKey)) {
    const [found] = await cryptoki.findObjects(session.handle, template);
    if (found !== undefined) {
      throw new Error(
        'the token also holds a key that must be on a token of its own: root and service share it',
      );
    }
  }
  session.absent.add(digest);
}

/**
 * Builds templates that find a key regardless of its label: the modulus is in both halves, the point in the public one.
 */
function buildTemplates(publicKey: KeyObject): Template[] {
  const { n, x, y } = publicKey.export({ format: 'jwk' });
  if (n !== undefined) return [[[CKA.modulus, Buffer.from(n, 'base64url')]]];
  const point = Buffer.concat([
    Buffer.of(4),
    Buffer.from(x ?? '', 'base64url'),
    Buffer.from(y ?? '', 'base64url'),
  ]);
  // OCTET STRING in DER (v2.40 mechanisms §2.3.3), or bare bytes from some modules.
  return [[[CKA.ecPoint, Buffer.concat([Buffer.of(0x04, point.length), point])]], [[CKA.ecPoint, point]]];
}

/** Signs the hash, which is computed here: a token need not support combined mechanisms, nor receive a long CRL. */
async function signWith(
  { cryptoki, session, key }: { cryptoki: Cryptoki; session: TokenSession; key: bigint },
  publicKey: KeyObject,
  tbs: ToBeSigned,
): Promise<Uint8Array> {
  const hash = await sha256(tbs);
  if (publicKey.asymmetricKeyType === 'rsa') {
    const by = { mechanism: mechanisms.signRsa, key };
    return cryptoki.sign(session.handle, by, Buffer.concat([sha256DigestInfo, hash]));
  }
  return ecdsaSignature(await cryptoki.sign(session.handle, { mechanism: mechanisms.signEc, key }, hash));
}

async function sha256(tbs: ToBeSigned): Promise<Buffer> {
  const hash = createHash('sha256');
  await forEachSlice(tbs, (octets) => hash.update(octets));
  return hash.digest();
}

/**
 * Converts a signature: a token returns r and s concatenated (v2.40 mechanisms §2.3.1), X.509 needs a DER sequence (RFC
 * 3279 §2.2.3).
 */
export function ecdsaSignature(raw: Uint8Array): Uint8Array {
  const half = raw.length / 2;
  const integers = [raw.subarray(0, half), raw.subarray(half)].map((bytes) => {
    const first = bytes.findIndex((byte) => byte !== 0);
    const digits = first === -1 ? Buffer.alloc(1) : Buffer.from(bytes.subarray(first));
    const value = (digits[0] ?? 0) < 0x80 ? digits : Buffer.concat([Buffer.alloc(1), digits]);
    return Buffer.concat([Buffer.from([0x02, value.length]), value]);
  });
  const content = Buffer.concat(integers);
  // Two integers of a P-256 signature have at most 72 bytes: the length takes one byte.
  return Buffer.concat([Buffer.from([0x30, content.length]), content]);
}

async function makeKey(
  cryptoki: Cryptoki,
  { handle }: TokenSession,
  { label, algorithm }: { label: string; algorithm: KeyAlgorithm },
): Promise<KeyObject> {
  const spec = keyAlgorithms[algorithm];
  const names: Template = [
    [CKA.token, true],
    [CKA.label, Buffer.from(label, 'utf8')],
    [CKA.id, randomBytes(20)],
  ];
  const privateKey: Template = [
    ...names,
    [CKA.private, true],
    [CKA.sensitive, true],
    [CKA.extractable, false],
    [CKA.sign, true],
  ];
  const shape: Template =
    spec.kind === 'rsa'
      ? [
          [CKA.modulusBits, spec.modulusBits],
          [CKA.publicExponent, Buffer.from([1, 0, 1])],
        ]
      : [[CKA.ecParams, p256]];
  const publicKey: Template = [...names, [CKA.verify, true], ...shape];
  const mechanism = spec.kind === 'rsa' ? mechanisms.makeRsa : mechanisms.makeEc;
  const handleOfPublicKey = await cryptoki.generateKeyPair(handle, mechanism, { publicKey, privateKey });
  const read = (type: number) => cryptoki.attribute(handle, handleOfPublicKey, type);
  return spec.kind === 'rsa'
    ? rsaKey(await read(CKA.modulus), await read(CKA.publicExponent))
    : p256Key(await read(CKA.ecPoint));
}

function rsaKey(modulus: Buffer, exponent: Buffer): KeyObject {
  const jwk = { kty: 'RSA', n: modulus.toString('base64url'), e: exponent.toString('base64url') };
  return createPublicKey({ key: jwk, format: 'jwk' });
}

/**
 * Reads a P-256 key. The point is an OCTET STRING in DER (v2.40 mechanisms §2.3.3), or bare bytes from some modules;
 * both end the same.
 */
function p256Key(point: Buffer): KeyObject {
  const [x, y] = [point.subarray(-64, -32), point.subarray(-32)];
  const jwk = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') };
  return createPublicKey({ key: jwk, format: 'jwk' });
}
