import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { services } from '@rubrica/contracts/shared/enumerations';
import { generateServiceKeys } from '@rubrica/process';

/** Writes every service's private keys, everybody's peers file and the gateway's token keys into a folder. */
export async function writeKeyFiles(directory: string) {
  const generated = services.map((service) => [service, generateServiceKeys(service)] as const);
  for (const [service, { privateJwks }] of generated) {
    await writeFile(join(directory, `${service}.json`), JSON.stringify(privateJwks));
  }
  const peers = Object.fromEntries(generated.map(([service, { publicJwks }]) => [service, publicJwks]));
  await writeFile(join(directory, 'peers.json'), JSON.stringify(peers));
  await writeFile(
    join(directory, 'tokens.json'),
    JSON.stringify({ keys: [tokenKey('current'), tokenKey('next')] }),
  );
  return {
    keysFile: (service: string) => join(directory, `${service}.json`),
    peersFile: join(directory, 'peers.json'),
    tokenKeysFile: join(directory, 'tokens.json'),
  };
}

function tokenKey(kid: string) {
  return { ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }), kid };
}
