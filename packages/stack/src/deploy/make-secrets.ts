import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateServiceKeys } from '@rubrica/process/keyring';
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
 * Makes every secret of a deployment with `compose.yaml`, in `folder`: key files and certificates under `secrets/`,
 * passwords in `.env` (based on `.env.example`). It makes no secret of an operator. Existing files are never replaced:
 * with `EEXIST` none of them has changed.
 * @returns the files
 */
export async function makeSecrets(
  folder: string,
  hosts: ServerHosts = composeHosts,
): Promise<readonly string[]> {
  const secrets = join(folder, 'secrets');
  const transport = await readTransportFolder(folder, hosts);
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

/**
 * Writes new certificates into the existing folders, issued by the authorities stored beside them.
 * @returns the folders
 */
export async function renewCertificates(
  folder: string,
  hosts: ServerHosts = composeHosts,
): Promise<readonly string[]> {
  return renewTransportFiles(await readTransportFolder(folder, hosts));
}

async function readTransportFolder(folder: string, hosts: ServerHosts): Promise<TransportFolder> {
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

/** Fills the empty passwords; each starts with a letter, which nats-server's configuration requires. */
function fillPasswords(example: string): string {
  return example.replace(
    /^([A-Z_]+_PASSWORD)=$/gm,
    (_, name) => `${name}=r${randomBytes(24).toString('hex')}`,
  );
}
