import { fromBase64 } from '../files.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A signature of the header: `v1,…` by a shared secret, `v1a,…` by a key pair. */
export interface Signature {
  readonly version: string;
  readonly bytes: Bytes;
}

export function signaturesOf(header: string): Signature[] {
  return header.split(' ').flatMap((one) => {
    const [version = '', encoded = ''] = one.split(',');
    const bytes = decoded(encoded);
    return bytes === undefined ? [] : [{ version, bytes }];
  });
}

/** A signature counts under its own version alone: else a public key could be made to serve as a shared secret. */
export async function isSignedBy(
  secret: string,
  signed: Bytes,
  signatures: readonly Signature[],
): Promise<boolean> {
  const kind = kinds.find(({ prefix }) => secret.startsWith(prefix));
  if (kind === undefined) throw new TypeError('a secret begins with whsec_, a public key with whpk_');
  const raw = decoded(secret.slice(kind.prefix.length));
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

function decoded(text: string): Bytes | undefined {
  try {
    return fromBase64(text);
  } catch {
    return undefined;
  }
}
