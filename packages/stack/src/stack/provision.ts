import { createHash } from 'node:crypto';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { ensureDatabase, ensureServiceRoles } from '@rubrica/testkit/postgres';
import { spawnChild } from '@rubrica/testkit/processes';
import { replaceFile, replaceJson } from '../setup/files.ts';
import { exists, projectRoot } from '../setup/home.ts';
import { databaseServices, type ServiceFolders, serviceNames } from '../setup/services.ts';
import { StartFailure } from '../supervision/managed-process.ts';
import { unreadableData } from './data-version.ts';
import { databaseName, type EnvironmentContext, provisionEnvironment } from './environment.ts';

export interface ProvisionContext {
  readonly environment: EnvironmentContext;
  readonly superuserUrl: string;
  readonly databaseUrl: string;
  readonly folders: ServiceFolders;
  readonly onDetail: (text: string) => void;
}

/** True when nothing that provisioning reads has changed since it last succeeded in this home. */
export async function isProvisioned(context: ProvisionContext): Promise<boolean> {
  const stored = await readFile(context.environment.home.fingerprintFile, 'utf8').catch(() => '');
  return stored !== '' && stored === (await fingerprint(context));
}

/** Roles, database, schemas, then each service's own step: migrations, streams and consumers, first rows. */
export async function provision(context: ProvisionContext): Promise<void> {
  const { environment, superuserUrl, databaseUrl } = context;
  const { home, settings } = environment;
  await replaceJson(home.seedFile, settings.seed);
  await ensureDatabase({ superuserUrl, database: databaseName });
  await ensureServiceRoles(
    databaseUrl,
    databaseServices.map((service) => {
      const passwords = settings.database[service];
      if (passwords === undefined) throw new Error(`no database passwords are stored for ${service}`);
      return { service, ...passwords };
    }),
  );
  // Side by side: each touches its own schema and its own streams.
  await Promise.all(serviceNames.map((service) => provisionService(service, context)));
  await replaceFile(home.fingerprintFile, await fingerprint(context));
}

async function provisionService(service: ServiceName, context: ProvisionContext): Promise<void> {
  const entry = join(context.folders[service], 'src', 'provision.ts');
  if (!(await exists(entry))) return;
  const logFile = join(context.environment.home.logs, `${service}-provision.log`);
  await (await open(logFile, 'w')).close();
  const child = await spawnChild({
    command: process.execPath,
    args: [entry],
    cwd: context.folders[service],
    env: provisionEnvironment(service, context.environment),
    logFile,
    onParentDeath: 'SIGTERM',
  });
  const { code, signal } = await child.exited;
  if (code !== 0) {
    const log = (await readFile(logFile, 'utf8')).trimEnd();
    if (log.includes('InvalidMigrations')) throw unreadableData(context.environment.home);
    throw new StartFailure(`Provisioning ${service} failed (${signal ?? `exit code ${code}`}):\n${log}`);
  }
  context.onDetail(service);
}

/**
 * Names and times of every source file that provisioning runs through, and the settings it passes on. Too
 * coarse only costs a needless run, which changes nothing.
 */
async function fingerprint(context: ProvisionContext): Promise<string> {
  const { settings } = context.environment;
  const hash = createHash('sha256').update(JSON.stringify([settings, context.environment.overrides]));
  const appFolders = serviceNames.flatMap((service) => [
    join(context.folders[service], 'migrations'),
    join(context.folders[service], 'src'),
  ]);
  const packages = ['wiring', 'contracts', 'database', 'bus', 'process', 'pki'].map((name) =>
    join(projectRoot, 'packages', name, 'src'),
  );
  const folders = await Promise.all([...appFolders, ...packages].map(listFiles));
  for (const line of folders.flat().sort()) hash.update(`${line}\n`);
  return hash.digest('hex');
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'));
  return Promise.all(
    files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const { size, mtimeMs } = await stat(path);
      return `${relative(projectRoot, path)} ${size} ${mtimeMs}`;
    }),
  );
}
