import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { services } from '@rubrica/contracts/shared/enumerations';
import { generateServiceKeys } from '@rubrica/process/keyring';

/** Writes every service's private keys and everybody's peers file into a folder. */
export async function writeKeyFiles(directory: string) {
  const generated = services.map((service) => [service, generateServiceKeys(service)] as const);
  for (const [service, { privateJwks }] of generated) {
    await writeFile(join(directory, `${service}.json`), JSON.stringify(privateJwks));
  }
  const peers = Object.fromEntries(generated.map(([service, { publicJwks }]) => [service, publicJwks]));
  // As in a rotation: the key that signs next is known before it signs.
  const [next] = generateServiceKeys('intake').publicJwks.keys;
  if (next !== undefined) peers.intake?.keys.push(next);
  await writeFile(join(directory, 'peers.json'), JSON.stringify(peers));
  return {
    keysFile: (service: string) => join(directory, `${service}.json`),
    peersFile: join(directory, 'peers.json'),
  };
}
