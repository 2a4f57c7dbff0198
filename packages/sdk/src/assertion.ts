/** Key of Web Crypto, by the types of the runtime that compiles this. */
type SubtleKey = Parameters<typeof crypto.subtle.sign>[1];

/** JSON Web Key (RFC 7517), with the fields that identify its kind. */
export interface PrivateJwk {
  readonly kty?: string | undefined;
  readonly crv?: string | undefined;
  readonly d?: string | undefined;
  readonly alg?: string | undefined;
}

/**
 * Private key of a partner, as JWK or as Web Crypto's `CryptoKey` with permission to sign: RSA from 2048 bits, P-256 or
 * Ed25519. A `CryptoKey` may be non-extractable.
 */
export type PrivateKey = PrivateJwk | SubtleKey;

export interface Assertion {
  readonly clientId: string;
  readonly privateKey: PrivateKey;
  /** Id of the key for the service, which also finds the key without it. */
  readonly keyId?: string | undefined;
  /** Address of the token endpoint, or the service's issuer. */
  readonly audience: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** One `alg` (RFC 7518, RFC 8037) and its name in Web Crypto. */
interface Algorithm {
  readonly alg: 'ES256' | 'PS256' | 'RS256' | 'EdDSA';
  readonly imported: { readonly name: string; readonly namedCurve?: string; readonly hash?: string };
  readonly signing: Parameters<typeof crypto.subtle.sign>[0];
}

const curveAlgorithm: Algorithm = {
  alg: 'ES256',
  imported: { name: 'ECDSA', namedCurve: 'P-256' },
  signing: { name: 'ECDSA', hash: 'SHA-256' },
};
const edwardsAlgorithm: Algorithm = {
  alg: 'EdDSA',
  imported: { name: 'Ed25519' },
  signing: { name: 'Ed25519' },
};
const rsaPssAlgorithm: Algorithm = {
  alg: 'PS256',
  imported: { name: 'RSA-PSS', hash: 'SHA-256' },
  signing: { name: 'RSA-PSS', saltLength: 32 },
};
const rsaAlgorithm: Algorithm = {
  alg: 'RS256',
  imported: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  signing: { name: 'RSASSA-PKCS1-v1_5' },
};

/** The service refuses more than five minutes; a slight deviation of the clock must do no harm. */
const lifeSeconds = 120;

/**
 * Signs an assertion, valid for one token (RFC 7523 §2.2).
 * @throws TypeError for a key type that the service does not accept
 */
export async function signAssertion({ clientId, privateKey, ...options }: Assertion): Promise<string> {
  const { algorithm, key } = await importKey(privateKey);
  const iat = Math.floor(options.now / 1_000);
  const header = {
    alg: algorithm.alg,
    typ: 'JWT',
    ...(options.keyId === undefined ? {} : { kid: options.keyId }),
  };
  const fields = { iss: clientId, sub: clientId, aud: options.audience, jti: crypto.randomUUID() };
  const signed = `${encode(header)}.${encode({ ...fields, iat, exp: iat + lifeSeconds })}`;
  const bytes = new TextEncoder().encode(signed);
  const signature = await crypto.subtle.sign(algorithm.signing, key, bytes);
  return `${signed}.${base64url(new Uint8Array(signature))}`;
}

async function importKey(privateKey: PrivateKey): Promise<{ algorithm: Algorithm; key: SubtleKey }> {
  if ('usages' in privateKey) return { algorithm: findKeyAlgorithm(privateKey), key: privateKey };
  const algorithm = findJwkAlgorithm(privateKey);
  // The stated use may be that of its public half, and would be refused.
  const { key_ops: _ops, use: _use, alg: _alg, ...parts } = privateKey as Record<string, unknown>;
  const key = await crypto.subtle.importKey('jwk', parts, algorithm.imported, false, ['sign']);
  return { algorithm, key };
}

function findJwkAlgorithm({ kty, crv, alg, d }: PrivateJwk): Algorithm {
  if (d === undefined) throw new TypeError('privateKey holds no private key (d)');
  if (kty === 'EC' && crv === 'P-256') return curveAlgorithm;
  if (kty === 'OKP' && crv === 'Ed25519') return edwardsAlgorithm;
  if (kty === 'RSA') return alg === 'RS256' ? rsaAlgorithm : rsaPssAlgorithm;
  throw new TypeError('privateKey must be RSA, P-256 or Ed25519');
}

function findKeyAlgorithm({ algorithm, usages }: SubtleKey): Algorithm {
  if (!usages.includes('sign')) throw new TypeError('privateKey may not sign (usages)');
  const all = [curveAlgorithm, edwardsAlgorithm, rsaPssAlgorithm, rsaAlgorithm];
  const found = all.find(({ imported }) => imported.name === algorithm.name);
  const { namedCurve = 'P-256', hash } = algorithm as { namedCurve?: string; hash?: { name: string } };
  const isTaken = namedCurve === 'P-256' && (hash?.name ?? 'SHA-256') === 'SHA-256';
  if (found === undefined || !isTaken)
    throw new TypeError('privateKey must be RSA with SHA-256, P-256 or Ed25519');
  return found;
}

function encode(value: object): string {
  return base64url(new TextEncoder().encode(JSON.stringify(value)));
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
