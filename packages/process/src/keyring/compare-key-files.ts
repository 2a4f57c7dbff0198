import { createPublicKey } from 'node:crypto';
import { services } from '@rubrica/contracts/shared/enumerations';
import type { z } from 'zod';
import type { keySettings } from '../config/fragments.ts';
import { readKeyFiles, readPeersFile } from './key-files.ts';

/**
 * Compares a service's private keys with the file of public keys, and describes each contradiction in one sentence.
 * On a contradiction, other services would refuse its signatures, or seal messages that it cannot open.
 * @throws Error that names a file that cannot be read
 */
export async function compareKeyFiles(
  settings: z.output<typeof keySettings>,
  service: string,
): Promise<string[]> {
  const material = await readKeyFiles(settings, service);
  const peers = await readPeersFile(settings.peersFile);
  if (material === undefined) throw new Error('what was never read cannot be unchanged');
  const { signing, auditing, opening } = material.own;
  const listed = peers.get(service);
  const absent = services.filter((name) => !peers.has(name)).map((name) => `no public key of ${name}`);
  const unfit = [...signing, ...(auditing === undefined ? [] : [auditing])]
    .filter(({ kid, key }) => {
      const known = listed?.verifying.get(kid) ?? listed?.auditing.get(kid);
      return (
        known === undefined || !known.equals(createPublicKey(key.export({ format: 'pem', type: 'pkcs8' })))
      );
    })
    .map(({ kid }) => `private key ${kid} has not its public half there`);
  const sealing = listed?.sealing?.kid;
  const cannotOpen = sealing !== undefined && !opening.has(sealing);
  return [...absent, ...unfit, ...(cannotOpen ? [`others seal to key ${sealing}, which is not here`] : [])];
}
