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

/**
 * Ensures each service's sealing and signing keys, and the public halves of all. The peers file is written last and
 * marks the set as complete. A crash midway therefore only causes new keys for services that never ran.
 */
export async function ensureKeys(home: Home): Promise<void> {
  if (await exists(peersFile(home))) return;
  // Loaded on the first start only: the package contains much that would slow a warm start.
  const { generateServiceKeys } = await import('@rubrica/process/keyring');
  const peers: Record<string, unknown> = {};
  for (const service of serviceNames) {
    const made = await generateServiceKeys(service);
    await replaceJson(privateKeysFile(home, service), made.privateJwks);
    peers[service] = made.publicJwks;
  }
  await replaceJson(peersFile(home), peers);
}
