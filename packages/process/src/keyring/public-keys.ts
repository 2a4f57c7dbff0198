import type { PeerKeys } from './key-files.ts';

/** Public key for a JWK set (RFC 7517, RFC 8037), with which other programs verify. */
export interface PublicSigningKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
}

export function publicSigningKeys(peer: PeerKeys | undefined): PublicSigningKey[] {
  return [...(peer?.verifying ?? [])].map(([kid, key]) => {
    const { x = '' } = key.export({ format: 'jwk' });
    return { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' };
  });
}
