import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { GeneratedKeys } from '@rubrica/process/keyring';

type Peers = Record<string, GeneratedKeys['publicJwks']>;

/** Gives access to the key files of a deployment: `<service>.json` for each service, and `peers.json` for all. */
export function keyFolder(folder: string) {
  const privateFile = (service: ServiceName) => join(folder, `${service}.json`);
  const peersFile = join(folder, 'peers.json');
  return {
    async read(service: ServiceName): Promise<GeneratedKeys> {
      const peers = await readJson<Peers>(peersFile);
      const publicJwks = peers[service] ?? { keys: [] };
      return { privateJwks: await readJson(privateFile(service)), publicJwks };
    },
    async write(service: ServiceName, { privateJwks, publicJwks }: GeneratedKeys): Promise<void> {
      await overwrite(privateFile(service), privateJwks);
      await overwrite(peersFile, { ...(await readJson<Peers>(peersFile)), [service]: publicJwks });
    },
  };
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}

/**
 * Overwrites the existing file. A container that mounts it stays bound to that file and would not see a replacement.
 * The content is first saved to disk beside it, so that a crash midway cannot lose a private key.
 */
async function overwrite(path: string, content: unknown): Promise<void> {
  const copy = `${path}.copy`;
  const text = `${JSON.stringify(content, null, 2)}\n`;
  const file = await open(copy, 'w', 0o600);
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await writeFile(path, text, { flush: true });
  await rm(copy);
}
