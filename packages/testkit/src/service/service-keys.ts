import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';
import { generateServiceKeys } from '@rubrica/process/keyring';

export interface ServiceKeyFiles {
  /** KEYS_FILE of each service. */
  readonly keysFile: Readonly<Record<ServiceName, string>>;
  /** PEERS_FILE, the same for all. */
  readonly peersFile: string;
}

/** Writes new keys of all five services, so that a test can act as any of them. */
export async function writeServiceKeys(folder: string): Promise<ServiceKeyFiles> {
  const files = keyFilesIn(folder);
  const peers: Record<string, unknown> = {};
  for (const service of services) {
    const { privateJwks, publicJwks } = generateServiceKeys(service);
    peers[service] = publicJwks;
    await writeJson(files.keysFile[service], privateJwks);
  }
  await writeJson(files.peersFile, peers);
  return files;
}

/** Returns the paths that `writeServiceKeys` uses. */
export function keyFilesIn(folder: string): ServiceKeyFiles {
  const entries = services.map((service) => [service, join(folder, `${service}.keys.json`)]);
  return {
    keysFile: Object.fromEntries(entries) as Record<ServiceName, string>,
    peersFile: join(folder, 'peers.json'),
  };
}

export async function writeJson(path: string, value: unknown): Promise<string> {
  await writeFile(path, JSON.stringify(value), { mode: 0o600 });
  return path;
}
