import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateServiceKeys, type Keyring, loadKeyring } from '@rubrica/process/keyring';

export type KeyFolder = AsyncDisposable & {
  /** KEYS_FILE and PEERS_FILE of a service. */
  files(service: string): { keysFile: string; peersFile: string };
  keyring(service: string): Promise<Keyring>;
};

/** Key files for the named services, as the stack makes them. */
export async function keyFolder(...services: string[]): Promise<KeyFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'rubrica-keys-'));
  const peers: Record<string, unknown> = {};
  for (const service of services) {
    const { privateJwks, publicJwks } = generateServiceKeys(service);
    peers[service] = publicJwks;
    await writeFile(join(folder, `${service}.json`), JSON.stringify(privateJwks));
  }
  await writeFile(join(folder, 'peers.json'), JSON.stringify(peers));
  const files = (service: string) => ({
    keysFile: join(folder, `${service}.json`),
    peersFile: join(folder, 'peers.json'),
  });
  return {
    files,
    keyring: (service) => loadKeyring(files(service), service),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
