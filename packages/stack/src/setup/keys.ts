import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { replaceJson } from './files.ts';
import { exists, type Home } from './home.ts';
import { serviceNames } from './services.ts';

export function privateKeysFile(home: Home, service: ServiceName) {
  return join(home.keys, `${service}.json`);
}

export function peersFile(home: Home) {
  return join(home.keys, 'peers.json');
}

export function tokenKeysFile(home: Home) {
  return join(home.keys, 'access-tokens.json');
}

/**
 * Each service's sealing and signing keys, everybody's public halves, and the keys of access tokens.
 * The peers file is written last and marks the set as whole, so a crash half-way only means new keys for
 * services that never ran.
 */
export async function ensureKeys(home: Home): Promise<void> {
  if (await exists(peersFile(home))) return;
  // Loaded only on the first start: the package brings much that a warm start would wait for.
  const { generateServiceKeys } = await import('@rubrica/process');
  const peers: Record<string, unknown> = {};
  for (const service of serviceNames) {
    const made = await generateServiceKeys(service);
    await replaceJson(privateKeysFile(home, service), made.privateJwks);
    peers[service] = made.publicJwks;
  }
  await replaceJson(tokenKeysFile(home), { keys: [makeTokenKey()] });
  await replaceJson(peersFile(home), peers);
}

/** ES256 (RFC 7518 §3.4) as a private JWK. */
export function makeTokenKey(): Record<string, unknown> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = privateKey.export({ format: 'jwk' });
  return { ...jwk, kid: `at-${randomBytes(6).toString('hex')}`, alg: 'ES256', use: 'sig' };
}
