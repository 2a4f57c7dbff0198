import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { NamedKey } from './key-files.ts';
import { KeyringError } from './keyring-error.ts';

const encryption = 'A256GCM';
const ivBytes = 12;
const tagBytes = 16;

// RFC 7518 §4.6.2: Concat KDF, one round of SHA-256 over counter, shared secret and this, with
// AlgorithmID = enc, PartyUInfo and PartyVInfo empty, SuppPubInfo = 256 bits.
const round = Buffer.from([0, 0, 0, 1]);
const otherInfo = Buffer.concat([lengthPrefixed(encryption), Buffer.alloc(8), uint32(256)]);

/**
 * Encrypts for the holder of a X25519 key: compact JWE (RFC 7516) with ECDH-ES (RFC 7518 §4.6, RFC 8037)
 * and AES-256-GCM, readable by any JOSE library.
 */
export function sealMessage(data: Uint8Array, recipient: NamedKey): string {
  const ephemeral = generateKeyPairSync('x25519');
  const { x } = ephemeral.publicKey.export({ format: 'jwk' });
  const header = toBase64url(
    Buffer.from(
      JSON.stringify({
        alg: 'ECDH-ES',
        enc: encryption,
        kid: recipient.kid,
        epk: { kty: 'OKP', crv: 'X25519', x },
      }),
    ),
  );
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(ephemeral.privateKey, recipient.key), iv);
  cipher.setAAD(Buffer.from(header, 'ascii'));
  const sealed = Buffer.concat([cipher.update(data), cipher.final()]);
  return `${header}..${toBase64url(iv)}.${toBase64url(sealed)}.${toBase64url(cipher.getAuthTag())}`;
}

/** @throws KeyringError: `malformed`, `unknown-key` (not sealed to any of `keys`) or `not-authentic` */
export function openMessage(jwe: string, keys: ReadonlyMap<string, KeyObject>): Buffer {
  const parts = jwe.split('.');
  if (parts.length !== 5) throw malformed();
  const [header, wrappedKey, iv, sealed, tag] = parts.map((part) => Buffer.from(part, 'base64url')) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  const { kid, epk } = readHeader(header);
  if (wrappedKey.length !== 0 || iv.length !== ivBytes || tag.length !== tagBytes) throw malformed();
  const key = keys.get(kid);
  if (!key) throw new KeyringError('unknown-key', `nothing here opens what is sealed to key ${kid}`);
  try {
    const decipher = createDecipheriv('aes-256-gcm', deriveKey(key, readEphemeralKey(epk)), iv);
    decipher.setAAD(Buffer.from(parts[0] as string, 'ascii'));
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed), decipher.final()]);
  } catch {
    throw new KeyringError('not-authentic', `what is sealed to key ${kid} was altered`);
  }
}

const knownMembers = new Set(['alg', 'enc', 'kid', 'epk']);

/** Exactly what `sealMessage` writes: an option that is not understood (crit, zip, apu) must be refused. */
function readHeader(bytes: Buffer): { kid: string; epk: unknown } {
  let header: Record<string, unknown> | null;
  try {
    header = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw malformed();
  }
  if (typeof header !== 'object' || header === null) throw malformed();
  if (header.alg !== 'ECDH-ES' || header.enc !== encryption || typeof header.kid !== 'string')
    throw malformed();
  if (Object.keys(header).some((member) => !knownMembers.has(member))) throw malformed();
  return { kid: header.kid, epk: header.epk };
}

function readEphemeralKey(epk: unknown): KeyObject {
  const { kty, crv, x } = epk as { kty: unknown; crv: unknown; x: unknown };
  if (kty !== 'OKP' || crv !== 'X25519' || typeof x !== 'string') throw malformed();
  return createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
}

function deriveKey(privateKey: KeyObject, publicKey: KeyObject): Buffer {
  // OpenSSL refuses an all-zero secret, so a low-order ephemeral key ends in an error (RFC 7748 §6.1).
  const shared = diffieHellman({ privateKey, publicKey });
  return createHash('sha256').update(round).update(shared).update(otherInfo).digest();
}

function malformed(): KeyringError {
  return new KeyringError('malformed', 'this is not a sealed message');
}

function toBase64url(bytes: Buffer): string {
  return bytes.toString('base64url');
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function lengthPrefixed(text: string): Buffer {
  return Buffer.concat([uint32(text.length), Buffer.from(text, 'ascii')]);
}
