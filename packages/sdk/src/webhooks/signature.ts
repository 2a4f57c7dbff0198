import { fromBase64 } from '../files.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Signature of the header: `v1,…` with a shared secret, `v1a,…` with a key pair. */
export interface Signature {
  readonly version: string;
  readonly bytes: Bytes;
}

export function parseSignatureHeader(header: string): Signature[] {
  return header.split(' ').flatMap((part) => {
    const [version = '', encoded = ''] = part.split(',');
    const bytes = decode(encoded);
    return bytes === undefined ? [] : [{ version, bytes }];
  });
}

/**
 * Tells whether one of the signatures is valid. A signature is valid under its own version only: otherwise a public key
 * could be used as a shared secret.
 */
export async function isSignedBy(
  secret: string,
  signed: Bytes,
  signatures: readonly Signature[],
): Promise<boolean> {
  const kind = kinds.find(({ prefix }) => secret.startsWith(prefix));
  if (kind === undefined) throw new TypeError('a secret begins with whsec_, a public key with whpk_');
  const raw = decode(secret.slice(kind.prefix.length));
  if (raw === undefined) throw new TypeError(`what follows ${kind.prefix} is not base64`);
  const key = await crypto.subtle.importKey('raw', raw, kind.algorithm, false, ['verify']);
  for (const { version, bytes } of signatures) {
    // Web Crypto compares in constant time.
    if (version === kind.version && (await crypto.subtle.verify(kind.algorithm.name, key, bytes, signed)))
      return true;
  }
  return false;
}

const kinds = [
  { prefix: 'whsec_', version: 'v1', algorithm: { name: 'HMAC', hash: 'SHA-256' } },
  { prefix: 'whpk_', version: 'v1a', algorithm: { name: 'Ed25519' } },
] as const;

function decode(text: string): Bytes | undefined {
  try {
    return fromBase64(text);
  } catch {
    return undefined;
  }
}
