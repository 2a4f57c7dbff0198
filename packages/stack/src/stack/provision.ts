import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { ensureDatabase, ensureServiceRoles } from '@rubrica/testkit/postgres';
import { spawnChild } from '@rubrica/testkit/processes';
import { replaceFile, replaceJson } from '../setup/files.ts';
import { databaseServices, type ServiceFolders } from '../setup/services.ts';
import { StartFailure } from '../supervision/managed-process.ts';
import { connectionLimits } from './connection-limits.ts';
import { unreadableData } from './data-version.ts';
import { databaseName, type EnvironmentContext, provisionEnvironment } from './environment.ts';

export interface ProvisionContext {
  readonly environment: EnvironmentContext;
  readonly superuserUrl: string;
  readonly databaseUrl: string;
  readonly folders: ServiceFolders;
  readonly onDetail: (text: string) => void;
}

/** True if no input of provisioning has changed since it last succeeded in this home. */
export async function isProvisioned(context: ProvisionContext): Promise<boolean> {
  const stored = await readFile(context.environment.home.fingerprintFile, 'utf8').catch(() => '');
  return stored !== '' && stored === fingerprint(context);
}

/**
 * Creates roles, database and schemas, then runs each service's own step: migrations, streams and consumers, first
 * rows.
 */
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
      return { service, ...passwords, connections: connectionLimits[service] };
    }),
  );
  // In parallel: each changes its own schema and its own streams only.
  await Promise.all(databaseServices.map((service) => provisionService(service, context)));
  await replaceFile(home.fingerprintFile, fingerprint(context));
}

async function provisionService(service: ServiceName, context: ProvisionContext): Promise<void> {
  const logFile = join(context.environment.home.logs, `${service}-provision.log`);
  await (await open(logFile, 'w')).close();
  const child = await spawnChild({
    command: process.execPath,
    args: [join(context.folders[service], 'main.mjs'), 'provision'],
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

/** Hashes the inputs of provisioning. Builds of other sources lie in other folders. */
function fingerprint({ environment, folders }: ProvisionContext): string {
  const known = JSON.stringify([environment.settings, environment.overrides, folders]);
  return createHash('sha256').update(known).digest('hex');
}
