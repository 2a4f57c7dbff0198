import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type KeyUse, listKeyUses, type OwnJwk, type PublicJwk } from './key-files.ts';

export type GeneratedKeys = {
  /** Content of the service's KEYS_FILE. */
  privateJwks: { keys: OwnJwk[] };
  /** Entry of the service in every PEERS_FILE. */
  publicJwks: { keys: PublicJwk[] };
};

/** Generates the keys of a service, one for each of its uses. */
export function generateServiceKeys(service: string): GeneratedKeys {
  const generated = listKeyUses(service).map((use) => generateJwks(service, use));
  return {
    privateJwks: { keys: generated.map(({ secret }) => secret) },
    publicJwks: { keys: generated.flatMap(({ open }) => open) },
  };
}

/** Generates a private key, with its public half if it has one. */
export function generateJwks(service: string, use: KeyUse): { secret: OwnJwk; open: PublicJwk[] } {
  const kid = `${service}-${use}-${randomBytes(6).toString('hex')}`;
  if (use === 'mac') {
    return { secret: { kty: 'oct', use, kid, k: randomBytes(32).toString('base64url') }, open: [] };
  }
  const pair = use === 'enc' ? generateKeyPairSync('x25519') : generateKeyPairSync('ed25519');
  const { x, d } = pair.privateKey.export({ format: 'jwk' }) as { x: string; d: string };
  const crv = use === 'enc' ? 'X25519' : 'Ed25519';
  const open = { kty: 'OKP', crv, use, kid, x } as PublicJwk;
  return { secret: { ...open, d }, open: [open] };
}
