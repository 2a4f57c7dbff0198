import { appRole } from '@rubrica/testkit/postgres';
import { readJson } from '../setup/files.ts';
import type { Home } from '../setup/home.ts';
import type { databaseServices } from '../setup/services.ts';
import type { StackSettings } from '../setup/settings.ts';
import type { StackInfo } from '../stack/stack-info.ts';

/**
 * Composes DATABASE_URL as the running service has it: it reaches the service's own schema and no other.
 * @returns undefined where no stack runs
 */
export async function findDatabaseUrl(
  home: Home,
  service: (typeof databaseServices)[number],
): Promise<string | undefined> {
  const info = await readJson<StackInfo>(home.infoFile);
  const settings = await readJson<StackSettings>(home.settingsFile);
  if (info === undefined || settings === undefined) return undefined;
  const url = new URL(info.databaseUrl);
  url.username = appRole(service);
  url.password = settings.database[service]?.appPassword ?? '';
  return url.href;
}
