import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateServiceKeys } from '@rubrica/process';
import { serviceNames } from '../setup/services.ts';
import {
  composeHosts,
  makeTransportFiles,
  readableByGroup,
  renewTransportFiles,
  type ServerHosts,
  type TransportFolder,
} from './transport-files.ts';

/**
 * Every secret of a deployment by `compose.yaml`, into `folder`: key files and certificates below `secrets/`, passwords
 * in `.env` (after `.env.example`); none of an operator. @returns the files. Existing files are never replaced: with `EEXIST` nothing of theirs has changed.
 */
export async function makeSecrets(
  folder: string,
  hosts: ServerHosts = composeHosts,
): Promise<readonly string[]> {
  const secrets = join(folder, 'secrets');
  const transport = await transportFolder(folder, hosts);
  await mkdir(secrets, { mode: 0o700 });
  const files: string[] = [];
  for (const [name, content] of Object.entries(makeKeys())) {
    const path = join(secrets, `${name}.json`);
    await writeFile(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await chmod(path, readableByGroup);
    files.push(path);
  }
  files.push(...(await makeTransportFiles(transport)));
  const example = await readFile(join(folder, '.env.example'), 'utf8');
  const environment = fillPasswords(example)
    .replace(/^SECRETS_GID=$/m, `SECRETS_GID=${process.getgid?.() ?? 0}`)
    .replace(/^CONSOLE_COOKIE_KEYS=$/m, `CONSOLE_COOKIE_KEYS=${randomBytes(32).toString('base64url')}`);
  await writeFile(join(folder, '.env'), environment, { mode: 0o600, flag: 'wx' });
  return [...files, join(folder, '.env')];
}

/** New certificates into the folders that are there, by the authorities beside them. @returns the folders */
export async function renewCertificates(
  folder: string,
  hosts: ServerHosts = composeHosts,
): Promise<readonly string[]> {
  return renewTransportFiles(await transportFolder(folder, hosts));
}

async function transportFolder(folder: string, hosts: ServerHosts): Promise<TransportFolder> {
  const permissions = await readFile(join(folder, 'nats', 'permissions.conf'), 'utf8');
  return { folder: join(folder, 'secrets'), permissions, hosts };
}

function makeKeys(): Record<string, unknown> {
  const made = serviceNames.map((service) => [service, generateServiceKeys(service)] as const);
  return {
    ...Object.fromEntries(made.map(([service, { privateJwks }]) => [service, privateJwks])),
    peers: Object.fromEntries(made.map(([service, { publicJwks }]) => [service, publicJwks])),
  };
}

/** Fills the passwords left empty; they begin with a letter, which nats-server's configuration needs. */
function fillPasswords(example: string): string {
  return example.replace(
    /^([A-Z_]+_PASSWORD)=$/gm,
    (_, name) => `${name}=r${randomBytes(24).toString('hex')}`,
  );
}
