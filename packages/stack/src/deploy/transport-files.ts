import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { provisionUserOf, streamsUserOf } from '@rubrica/contracts/messages/accounts';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import {
  createTransportAuthority,
  openTransportAuthority,
  type TransportAuthority,
} from '@rubrica/testkit/certificates';
import { replaceFile } from '../setup/files.ts';
import { databaseServices, serviceNames } from '../setup/services.ts';
import { certifiedUsersIn, certifyUser, writeCertificate } from '../setup/transport.ts';

/** One authority for each of these, so that what one certifies is nothing to the others. */
const authorities = {
  'bus-clients': 'Rubrica bus clients',
  'bus-servers': 'Rubrica bus servers',
  'bus-routes': 'Rubrica bus routes',
  postgres: 'Rubrica PostgreSQL',
  'file-checker': 'Rubrica file checker',
} as const;
/** Makes certificates of both ends alone, which are renewed together: a deployment of before may get it at any time. */
const laterAuthority = 'file-checker';
type AuthorityName = keyof typeof authorities;
type Authorities = Readonly<Record<AuthorityName, TransportAuthority>>;

export class AuthoritiesMissing extends Error {}

/** The containers' user is of another number than who made the files: it is in their group (SECRETS_GID). */
export const readableByGroup = 0o640;

export interface ServerHosts {
  /** By which services reach nats-server; several for a cluster. */
  readonly nats: readonly string[];
  readonly postgres: readonly string[];
}

/** The names of compose.yaml. */
export const composeHosts: ServerHosts = { nats: ['nats'], postgres: ['postgres'] };

/**
 * Certificates of a deployment: below `authorities` the keys that certify, which no container needs, and below `tls` a
 * folder for each container. `folder` is that of the secrets; `permissions` is the text of nats/permissions.conf.
 */
export interface TransportFolder {
  readonly folder: string;
  readonly permissions: string;
  readonly hosts: ServerHosts;
}

/** @throws an error with `EEXIST` where there are authorities already; nothing of theirs has changed */
export async function makeTransportFiles(target: TransportFolder): Promise<readonly string[]> {
  const folder = join(target.folder, 'authorities');
  await mkdir(folder, { mode: 0o700 });
  for (const [name, title] of Object.entries(authorities)) {
    await writeCertificate(folder, name, await createTransportAuthority(title));
  }
  return [folder, ...(await renewTransportFiles(target))];
}

/** New keys and certificates for all, by the authorities that are there. @returns the folders, one per container */
export async function renewTransportFiles(target: TransportFolder): Promise<readonly string[]> {
  await addLaterAuthority(join(target.folder, 'authorities'));
  const by = await readAuthorities(join(target.folder, 'authorities'));
  const root = join(target.folder, 'tls');
  await mkdir(root, { recursive: true, mode: 0o700 });
  return [
    await postgresServer(join(root, 'postgres'), by, target.hosts),
    await natsServer(join(root, 'nats'), by, target.hosts),
    ...(await clients(root, by, target.permissions)),
    ...(await fileCheckerEnds(root, by)),
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

async function postgresServer(folder: string, by: Authorities, { postgres }: ServerHosts): Promise<string> {
  await ensureFolder(folder, 0o700);
  const certificate = await by.postgres.issue('serverAuth', { dnsNames: postgres });
  await writeCertificate(folder, 'server', certificate);
  return folder;
}

async function natsServer(folder: string, by: Authorities, { nats: dnsNames }: ServerHosts): Promise<string> {
  await ensureFolder(folder, 0o700);
  const server = await by['bus-servers'].issue('serverAuth', { dnsNames });
  await writeCertificate(folder, 'server', server);
  await writeCertificate(folder, 'route', await by['bus-routes'].issue('route', { dnsNames }));
  await replaceFile(join(folder, 'clients-ca.pem'), by['bus-clients'].certificate);
  await replaceFile(join(folder, 'routes-ca.pem'), by['bus-routes'].certificate);
  return folder;
}

/** Each container has the certificates of its own users and no other's. */
async function clients(root: string, by: Authorities, permissions: string): Promise<string[]> {
  const users = certifiedUsersIn(permissions);
  const ofService = (service: ServiceName) => [service, streamsUserOf(service)];
  const containers = [
    ...serviceNames.map((name) => ({ name, own: ofService(name) })),
    ...databaseServices.map((service) => ({
      name: `${service}-provision`,
      own: [provisionUserOf(service)],
    })),
    { name: 'database-roles', own: [] },
  ];
  for (const { name, own } of containers) {
    const folder = join(root, name);
    await ensureFolder(folder, 0o750);
    await replaceFile(join(folder, 'ca.pem'), by['bus-servers'].certificate, readableByGroup);
    await replaceFile(join(folder, 'postgres-ca.pem'), by.postgres.certificate, readableByGroup);
    for (const user of own.filter((one) => users.includes(one))) {
      await writeCertificate(folder, user, await certifyUser(by['bus-clients'], user), readableByGroup);
    }
  }
  return containers.map(({ name }) => join(root, name));
}

/** Certificates that a file checker and intake show each other, where they meet at a port. */
async function fileCheckerEnds(root: string, by: Authorities): Promise<string[]> {
  const authority = by['file-checker'];
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
