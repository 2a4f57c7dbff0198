import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type KeyUse, type PrivateJwk, type PublicJwk, usesOf } from './key-files.ts';

export type GeneratedKeys = {
  /** Content of the service's KEYS_FILE. */
  privateJwks: { keys: PrivateJwk[] };
  /** The service's entry in everybody's PEERS_FILE. */
  publicJwks: { keys: PublicJwk[] };
};

/** New keys for a service, one for each of its uses. */
export function generateServiceKeys(service: string): GeneratedKeys {
  const pairs = usesOf(service).map((use) => generateJwks(service, use));
  return {
    privateJwks: { keys: pairs.map(([secret]) => secret) },
    publicJwks: { keys: pairs.map(([, open]) => open) },
  };
}

export function generateJwks(service: string, use: KeyUse): [PrivateJwk, PublicJwk] {
  const pair = use === 'enc' ? generateKeyPairSync('x25519') : generateKeyPairSync('ed25519');
  const kid = `${service}-${use}-${randomBytes(6).toString('hex')}`;
  const { x, d } = pair.privateKey.export({ format: 'jwk' }) as { x: string; d: string };
  const crv = use === 'enc' ? 'X25519' : 'Ed25519';
  const open = { kty: 'OKP', crv, use, kid, x } as PublicJwk;
  return [{ ...open, d }, open];
}
