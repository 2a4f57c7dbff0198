import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const listsFile = join(import.meta.dirname, '../../../../deploy/nats/permissions.conf');

/** Every service's user with the allow-list it has in production, its name for a password. */
export async function natsUsers(): Promise<string> {
  const lists = await readFile(listsFile, 'utf8');
  const users = [...lists.matchAll(/^PERMISSIONS_(\w+)/gm)].map(([, upper = '']) => {
    const name = upper.toLowerCase();
    return `{ user: ${name}, password: ${name}, permissions: $PERMISSIONS_${upper} }`;
  });
  return `${lists}\nauthorization { users: [ ${users.join(', ')} ] }`;
}
