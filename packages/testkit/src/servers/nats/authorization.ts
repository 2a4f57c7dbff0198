import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callsAccount, streamsAccount, toCertificateUser } from '@rubrica/contracts/messages/accounts';

const permissionsFile = join(import.meta.dirname, '../../../../../deploy/nats/permissions.conf');

export interface BusPasswords {
  /** Passwords by process, as in the deployment. */
  readonly passwords: Readonly<Record<string, string>>;
  /**
   * Users with all rights, which no deployment has: `<name>` in the account of the streams, `<name>-calls` in that of
   * the calls.
   */
  readonly observers?: Readonly<Record<string, string>>;
}

/**
 * Renders the accounts, users and rights of `deploy/nats/permissions.conf` for a server without TLS: users have plain
 * names.
 */
export async function busAuthorization(bus: BusPasswords): Promise<string> {
  return (await certifiedBusAuthorization(bus)).replaceAll(toCertificateUser(''), '');
}

/** Renders the same with users identified by certificates, as in a deployment. */
export async function certifiedBusAuthorization({
  passwords,
  observers = {},
}: BusPasswords): Promise<string> {
  const permissions = await readFile(permissionsFile, 'utf8');
  const variables = Object.entries(passwords).map(
    ([name, password]) =>
      `NATS_${name.toUpperCase().replaceAll('-', '_')}_PASSWORD: ${JSON.stringify(password)}`,
  );
  const users = (suffix: string) =>
    Object.entries(observers).map(
      ([name, password]) =>
        `      { user: "${toCertificateUser(name + suffix)}", password: ${JSON.stringify(password)} }`,
    );
  const seen = withUsers(withUsers(permissions, streamsAccount, users('')), callsAccount, users('-calls'));
  return [...variables, seen].join('\n');
}

function withUsers(text: string, account: string, users: readonly string[]): string {
  const found = new RegExp(`^  ${account} \\{\\n[^}]*?users: \\[\\n`, 'm').exec(text);
  if (found === null) throw new Error(`${permissionsFile} has no users in account ${account}`);
  const at = found.index + found[0].length;
  return `${text.slice(0, at)}${users.map((line) => `${line}\n`).join('')}${text.slice(at)}`;
}

/** Lists the subjects to which each user of a deployment may publish. */
export async function busRights(): Promise<Map<string, readonly string[]>> {
  const permissions = await readFile(permissionsFile, 'utf8');
  const lists = permissions.matchAll(/^PERMISSIONS_(\w+) = \{\n {2}publish: \{ allow: \[\n([^\]]*)\]/gm);
  return new Map(
    Array.from(lists, ([, name = '', list = '']) => [
      name.toLowerCase().replaceAll('_', '-'),
      Array.from(list.matchAll(/"(.*)"/g), ([, subject = '']) => subject),
    ]),
  );
}
