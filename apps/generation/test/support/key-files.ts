import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { generateServiceKeys } from '@rubrica/process';

export interface KeyFiles {
  readonly peersFile: string;
  keysFile(service: ServiceName): string;
}

const names: readonly ServiceName[] = ['generation', 'intake', 'notifier', 'gateway', 'terms'];

/** Keys of every service in a folder, as the stack lays them out. */
export async function writeKeyFiles(folder: string): Promise<KeyFiles> {
  const keysFile = (service: string) => join(folder, `${service}.json`);
  const peers: Record<string, unknown> = {};
  for (const name of names) {
    const { privateJwks, publicJwks } = generateServiceKeys(name);
    peers[name] = publicJwks;
    await writeFile(keysFile(name), JSON.stringify(privateJwks));
  }
  const peersFile = join(folder, 'peers.json');
  await writeFile(peersFile, JSON.stringify(peers));
  return { peersFile, keysFile };
}
