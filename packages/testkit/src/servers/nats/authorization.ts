import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const permissionsFile = join(import.meta.dirname, '../../../../../deploy/nats/permissions.conf');

/**
 * Configuration text that gives each user the rights `deploy/nats/permissions.conf` lists under its name. A user
 * who is not listed there may do everything.
 */
export async function busAuthorization(passwords: Readonly<Record<string, string>>): Promise<string> {
  const permissions = await readFile(permissionsFile, 'utf8');
  const listed = new Set(Array.from(permissions.matchAll(/^PERMISSIONS_(\w+) =/gm), ([, name]) => name));
  const users = Object.entries(passwords).map(([user, password]) => {
    const held = listed.has(user.toUpperCase()) ? `, permissions: $PERMISSIONS_${user.toUpperCase()}` : '';
    return `    { user: "${user}", password: "${password}"${held} }`;
  });
  return `${permissions}\nauthorization {\n  users = [\n${users.join('\n')}\n  ]\n}`;
}
