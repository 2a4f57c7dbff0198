import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toProvisionUser, toStreamsUser } from '@rubrica/contracts/messages/accounts';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import {
  createTransportAuthority,
  openTransportAuthority,
  type TransportAuthority,
} from '@rubrica/testkit/certificates';
import { replaceFile } from '../setup/files.ts';
import { databaseServices, serviceNames } from '../setup/services.ts';
import { certifyUser, listCertifiedUsers, writeCertificate } from '../setup/transport.ts';

/** Authorities by purpose; certificates of one are worthless to the others. */
const authorities = {
  'bus-clients': 'Rubrica bus clients',
  'bus-servers': 'Rubrica bus servers',
  'bus-routes': 'Rubrica bus routes',
  postgres: 'Rubrica PostgreSQL',
  'file-checker': 'Rubrica file checker',
} as const;
/**
 * Issues certificates of two ends that are always renewed together, so an existing deployment can add it at any time.
 */
const laterAuthority = 'file-checker';
type AuthorityName = keyof typeof authorities;
type Authorities = Readonly<Record<AuthorityName, TransportAuthority>>;

export class AuthoritiesMissing extends Error {}

/** The containers' user differs from the owner of the files, but belongs to their group (SECRETS_GID). */
export const readableByGroup = 0o640;

export interface ServerHosts {
  /** Names under which services reach nats-server; several for a cluster. */
  readonly nats: readonly string[];
  readonly postgres: readonly string[];
}

/** Host names of compose.yaml. */
export const composeHosts: ServerHosts = { nats: ['nats'], postgres: ['postgres'] };

/**
 * Folder with the certificates of a deployment. `authorities` contains the issuing keys, which no container needs;
 * `tls` contains a folder for each container. `folder` is the folder of the secrets; `permissions` is the text of
 * nats/permissions.conf.
 */
export interface TransportFolder {
  readonly folder: string;
  readonly permissions: string;
  readonly hosts: ServerHosts;
}

/**
 * Makes the authorities and all certificates.
 * @throws an error with `EEXIST` where authorities exist already; none of them has changed
 */
export async function makeTransportFiles(target: TransportFolder): Promise<readonly string[]> {
  const folder = join(target.folder, 'authorities');
  await mkdir(folder, { mode: 0o700 });
  for (const [name, title] of Object.entries(authorities)) {
    await writeCertificate(folder, name, await createTransportAuthority(title));
  }
  return [folder, ...(await renewTransportFiles(target))];
}

/**
 * Makes new keys and certificates for all, issued by the existing authorities.
 * @returns the folders, one per container
 */
export async function renewTransportFiles(target: TransportFolder): Promise<readonly string[]> {
  await addLaterAuthority(join(target.folder, 'authorities'));
  const issuers = await readAuthorities(join(target.folder, 'authorities'));
  const root = join(target.folder, 'tls');
  await mkdir(root, { recursive: true, mode: 0o700 });
  return [
    await writePostgresServer(join(root, 'postgres'), issuers, target.hosts),
    await writeNatsServer(join(root, 'nats'), issuers, target.hosts),
    ...(await writeClients(root, issuers, target.permissions)),
    ...(await writeFileCheckerEnds(root, issuers)),
  ];
}

async function addLaterAuthority(folder: string): Promise<void> {
  const files = ['pem', 'key'].map((kind) => join(folder, `${laterAuthority}.${kind}`));
  if (files.some((file) => existsSync(file)) || !existsSync(folder)) return;
  await writeCertificate(folder, laterAuthority, await createTransportAuthority(authorities[laterAuthority]));
}

async function readAuthorities(folder: string): Promise<Authorities> {
  const names = Object.keys(authorities) as AuthorityName[];
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  try {
    const opened = names.map(async (name) => {
      const stored = { certificate: await read(`${name}.pem`), key: await read(`${name}.key`) };
      return [name, openTransportAuthority(stored)] as const;
    });
    return Object.fromEntries(await Promise.all(opened)) as Authorities;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new AuthoritiesMissing(
      `${(error as NodeJS.ErrnoException).path} is not there: bring it back first.`,
    );
  }
}

async function writePostgresServer(
  folder: string,
  issuers: Authorities,
  { postgres }: ServerHosts,
): Promise<string> {
  await ensureFolder(folder, 0o700);
  const certificate = await issuers.postgres.issue('serverAuth', { dnsNames: postgres });
  await writeCertificate(folder, 'server', certificate);
  return folder;
}

async function writeNatsServer(
  folder: string,
  issuers: Authorities,
  { nats: dnsNames }: ServerHosts,
): Promise<string> {
  await ensureFolder(folder, 0o700);
  const server = await issuers['bus-servers'].issue('serverAuth', { dnsNames });
  await writeCertificate(folder, 'server', server);
  await writeCertificate(folder, 'route', await issuers['bus-routes'].issue('route', { dnsNames }));
  await replaceFile(join(folder, 'clients-ca.pem'), issuers['bus-clients'].certificate);
  await replaceFile(join(folder, 'routes-ca.pem'), issuers['bus-routes'].certificate);
  return folder;
}

/** Writes the folder of each container, with the certificates of its own users only. */
async function writeClients(root: string, issuers: Authorities, permissions: string): Promise<string[]> {
  const users = listCertifiedUsers(permissions);
  const serviceUsers = (service: ServiceName) => [service, toStreamsUser(service)];
  const containers = [
    ...serviceNames.map((name) => ({ name, own: serviceUsers(name) })),
    ...databaseServices.map((service) => ({
      name: `${service}-provision`,
      own: [toProvisionUser(service)],
    })),
    { name: 'database-roles', own: [] },
  ];
  for (const { name, own } of containers) {
    const folder = join(root, name);
    await ensureFolder(folder, 0o750);
    await replaceFile(join(folder, 'ca.pem'), issuers['bus-servers'].certificate, readableByGroup);
    await replaceFile(join(folder, 'postgres-ca.pem'), issuers.postgres.certificate, readableByGroup);
    for (const user of own.filter((one) => users.includes(one))) {
      await writeCertificate(folder, user, await certifyUser(issuers['bus-clients'], user), readableByGroup);
    }
  }
  return containers.map(({ name }) => join(root, name));
}

/** Issues the certificates that intake and a file checker present to each other where they connect over a port. */
async function writeFileCheckerEnds(root: string, issuers: Authorities): Promise<string[]> {
  const authority = issuers['file-checker'];
  const ends = [
    ['file-checker', await authority.issue('serverAuth', { dnsNames: ['file-checker'] })],
    ['intake', await authority.issue('clientAuth', { dnsNames: ['intake'] })],
  ] as const;
  for (const [name, certificate] of ends) {
    await ensureFolder(join(root, name), 0o750);
    await replaceFile(join(root, name, 'file-checker-ca.pem'), authority.certificate, readableByGroup);
    await writeCertificate(join(root, name), 'file-checker', certificate, readableByGroup);
  }
  return [join(root, 'file-checker')];
}

async function ensureFolder(folder: string, mode: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, mode);
}
