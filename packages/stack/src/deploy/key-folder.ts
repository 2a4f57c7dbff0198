import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { GeneratedKeys } from '@rubrica/process';

type Peers = Record<string, GeneratedKeys['publicJwks']>;

/** The key files of a deployment: `<service>.json`, and `peers.json` for all. */
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
      await writeOver(privateFile(service), privateJwks);
      await writeOver(peersFile, { ...(await readJson<Peers>(peersFile)), [service]: publicJwks });
    },
  };
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}

/**
 * Into the file that is there, because a container that has it mounted keeps to that file and would not see one put in
 * its place. The content is on disk beside it first: a crash half-way must not be the end of a private key.
 */
async function writeOver(path: string, content: unknown): Promise<void> {
  const copy = `${path}.copy`;
  const text = `${JSON.stringify(content, null, 2)}\n`;
  const file = await open(copy, 'w', 0o600);
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await writeFile(path, text, { flush: true });
  await rm(copy);
}
