import { access, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Root of the checkout that contains this file. */
export const projectRoot = resolve(import.meta.dirname, '..', '..', '..', '..');

export interface Home {
  readonly directory: string;
  /**
   * Addresses and paths for people and tools; exists only while all services are ready. Contains secrets: mode 0600.
   */
  readonly infoFile: string;
  readonly settingsFile: string;
  readonly seedFile: string;
  readonly runFile: string;
  readonly lockFile: string;
  readonly fingerprintFile: string;
  readonly keys: string;
  /** Certificates of a stack with TLS inside. */
  readonly transport: string;
  readonly certificationAuthority: string;
  readonly nats: string;
  readonly postgres: string;
  readonly mail: string;
  readonly logs: string;
  readonly crashpoints: string;
  readonly compileCache: string;
  /** The SDK as an npm package, once it was packed. */
  readonly sdkPackage: string;
  readonly bin: string;
}

/** Resolves RUBRICA_HOME, else `.rubrica` in the project folder. */
export function defaultHome(env: NodeJS.ProcessEnv): string {
  return resolve(env.RUBRICA_HOME || join(projectRoot, '.rubrica'));
}

export function homeAt(directory: string): Home {
  const state = join(directory, 'state');
  return {
    directory,
    infoFile: join(directory, 'stack.json'),
    settingsFile: join(state, 'settings.json'),
    seedFile: join(state, 'seed.json'),
    runFile: join(state, 'run.json'),
    lockFile: join(state, 'lock.json'),
    fingerprintFile: join(state, 'provisioned'),
    keys: join(state, 'keys'),
    transport: join(state, 'tls'),
    certificationAuthority: join(directory, 'ca'),
    nats: join(directory, 'nats'),
    postgres: join(directory, 'postgres'),
    mail: join(directory, 'mail'),
    logs: join(directory, 'logs'),
    crashpoints: join(state, 'crashpoints'),
    compileCache: join(directory, 'cache', 'node'),
    sdkPackage: join(directory, 'cache', 'rubrica-sdk.tgz'),
    bin: join(directory, 'bin'),
  };
}

/** Creates the folders. They contain secrets, so only their owner may enter. */
export async function makeHome(home: Home): Promise<void> {
  await mkdir(home.directory, { recursive: true, mode: 0o700 });
  const folders = [home.keys, home.certificationAuthority, home.nats, home.mail, home.logs, home.crashpoints];
  for (const folder of [...folders, home.compileCache, dirname(home.runFile)]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
