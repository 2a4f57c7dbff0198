/** Web Crypto's, by the types of whichever runtime compiles this. */
type SubtleKey = Parameters<typeof crypto.subtle.sign>[1];

/** A JSON Web Key (RFC 7517), of which these fields say what it is. */
export interface PrivateJwk {
  readonly kty?: string | undefined;
  readonly crv?: string | undefined;
  readonly d?: string | undefined;
  readonly alg?: string | undefined;
}

/**
 * A partner's private key, as JWK or as Web Crypto's `CryptoKey` that may sign: RSA from 2048 bits, P-256 or Ed25519. A
 * `CryptoKey` may be one that nobody can read out.
 */
export type PrivateKey = PrivateJwk | SubtleKey;

export interface Assertion {
  readonly clientId: string;
  readonly privateKey: PrivateKey;
  /** As it is told to the service, which finds the key without it too. */
  readonly keyId?: string | undefined;
  /** The token's address, or the service's issuer. */
  readonly audience: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** One `alg` (RFC 7518, RFC 8037) and what Web Crypto calls it. */
interface Algorithm {
  readonly alg: 'ES256' | 'PS256' | 'RS256' | 'EdDSA';
  readonly imported: { readonly name: string; readonly namedCurve?: string; readonly hash?: string };
  readonly signing: Parameters<typeof crypto.subtle.sign>[0];
}

const ofCurve: Algorithm = {
  alg: 'ES256',
  imported: { name: 'ECDSA', namedCurve: 'P-256' },
  signing: { name: 'ECDSA', hash: 'SHA-256' },
};
const ofEdwards: Algorithm = { alg: 'EdDSA', imported: { name: 'Ed25519' }, signing: { name: 'Ed25519' } };
const ofRsaPss: Algorithm = {
  alg: 'PS256',
  imported: { name: 'RSA-PSS', hash: 'SHA-256' },
  signing: { name: 'RSA-PSS', saltLength: 32 },
};
const ofRsa: Algorithm = {
  alg: 'RS256',
  imported: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  signing: { name: 'RSASSA-PKCS1-v1_5' },
};

/** The service refuses more than five minutes; a clock that is a little behind or ahead must do no harm. */
const lifeSeconds = 120;

/** Good for one token (RFC 7523 §2.2). @throws TypeError for a key that the service takes no signatures of */
export async function signAssertion({ clientId, privateKey, ...told }: Assertion): Promise<string> {
  const { algorithm, key } = await usable(privateKey);
  const iat = Math.floor(told.now / 1_000);
  const header = { alg: algorithm.alg, typ: 'JWT', ...(told.keyId === undefined ? {} : { kid: told.keyId }) };
  const fields = { iss: clientId, sub: clientId, aud: told.audience, jti: crypto.randomUUID() };
  const signed = `${encoded(header)}.${encoded({ ...fields, iat, exp: iat + lifeSeconds })}`;
  const bytes = new TextEncoder().encode(signed);
  const signature = await crypto.subtle.sign(algorithm.signing, key, bytes);
  return `${signed}.${base64url(new Uint8Array(signature))}`;
}

async function usable(privateKey: PrivateKey): Promise<{ algorithm: Algorithm; key: SubtleKey }> {
  if ('usages' in privateKey) return { algorithm: ofCryptoKey(privateKey), key: privateKey };
  const algorithm = ofJwk(privateKey);
  // What it says of its use may be of its public half, and would be refused.
  const { key_ops: _ops, use: _use, alg: _alg, ...parts } = privateKey as Record<string, unknown>;
  const key = await crypto.subtle.importKey('jwk', parts, algorithm.imported, false, ['sign']);
  return { algorithm, key };
}

function ofJwk({ kty, crv, alg, d }: PrivateJwk): Algorithm {
  if (d === undefined) throw new TypeError('privateKey holds no private key (d)');
  if (kty === 'EC' && crv === 'P-256') return ofCurve;
  if (kty === 'OKP' && crv === 'Ed25519') return ofEdwards;
  if (kty === 'RSA') return alg === 'RS256' ? ofRsa : ofRsaPss;
  throw new TypeError('privateKey must be RSA, P-256 or Ed25519');
}

function ofCryptoKey({ algorithm, usages }: SubtleKey): Algorithm {
  if (!usages.includes('sign')) throw new TypeError('privateKey may not sign (usages)');
  const all = [ofCurve, ofEdwards, ofRsaPss, ofRsa];
  const found = all.find(({ imported }) => imported.name === algorithm.name);
  const { namedCurve = 'P-256', hash } = algorithm as { namedCurve?: string; hash?: { name: string } };
  const isTaken = namedCurve === 'P-256' && (hash?.name ?? 'SHA-256') === 'SHA-256';
  if (found === undefined || !isTaken)
    throw new TypeError('privateKey must be RSA with SHA-256, P-256 or Ed25519');
  return found;
}

function encoded(value: object): string {
  return base64url(new TextEncoder().encode(JSON.stringify(value)));
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
