import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';
import {
  type BuiltService,
  createHealth,
  createLogger,
  createMetrics,
  createRunner,
  type Keyring,
  loadKeyring,
  type ServiceParts,
  type ServiceSettings,
} from '@rubrica/process';
import { busAuthorization } from '../servers/nats/index.ts';
import { scratchDirectory } from '../servers/scratch.ts';
import { type TestNats, testNats } from '../servers/test-nats.ts';
import { type TestPostgres, type TestService, testPostgres } from '../servers/test-postgres.ts';
import { type ServiceKeyFiles, writeJson, writeServiceKeys } from './service-keys.ts';

const run = promisify(execFile);

/** Everything one service stands on: PostgreSQL, nats-server with the deployment's allow-lists, keys of all five. */
export interface TestGround extends AsyncDisposable {
  readonly postgres: TestPostgres;
  readonly nats: TestNats;
  readonly keys: ServiceKeyFiles;
  /** Schema and roles of the service under test. */
  readonly service: TestService;
  /** What the service's config reads; override or add when starting it. */
  readonly env: Readonly<Record<string, string>>;
  /** How another service would connect and sign: for peers played by the test. */
  peer(name: ServiceName): Promise<TestPeer>;
  /** Connects as a user without restrictions, to look at streams. */
  readonly observer: NatsAccess;
  /** Runs the service's `src/provision.ts` as a release does. */
  provision(file: string | URL, options?: { seed?: unknown; env?: Record<string, string> }): Promise<void>;
  /** A folder for files of the test, gone with it. */
  readonly folder: string;
}

export interface NatsAccess {
  readonly servers: string;
  readonly user: string;
  readonly password: string;
}

export interface TestPeer extends NatsAccess {
  /** Also the bus name: the allow-lists tie a service's inbox to it. */
  readonly name: ServiceName;
  readonly keyring: Keyring;
}

export async function testGround(name: ServiceName, env: Record<string, string> = {}): Promise<TestGround> {
  await using owned = new AsyncDisposableStack();
  const scratch = owned.use(await scratchDirectory(name));
  const users = [...services, 'provision', 'observer'];
  const postgres = owned.use(await testPostgres());
  const passwords = Object.fromEntries(users.map((user) => [user, `${user}-password`]));
  const nats = owned.use(await testNats({ extraConfig: await busAuthorization(passwords) }));
  const service = await postgres.service(name);
  const keys = await writeServiceKeys(scratch.path);
  const access = (user: string) => ({ servers: nats.url, user, password: `${user}-password` });
  const environment = { ...settingsOf({ name, nats, keys, service, folder: scratch.path }), ...env };
  const held = owned.move();
  return {
    postgres,
    nats,
    keys,
    service,
    env: environment,
    observer: access('observer'),
    folder: scratch.path,
    async peer(peer) {
      const settings = { keysFile: keys.keysFile[peer], peersFile: keys.peersFile };
      return { ...access(peer), name: peer, keyring: await loadKeyring(settings, peer) };
    },
    async provision(file, { seed, env: extra } = {}) {
      const seedFile =
        seed === undefined ? undefined : await writeJson(join(scratch.path, 'seed.json'), seed);
      await runProvision({ file, seedFile, env: { ...environment, ...extra }, ownerUrl: service.ownerUrl });
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

function settingsOf(parts: {
  name: ServiceName;
  nats: TestNats;
  keys: ServiceKeyFiles;
  service: TestService;
  folder: string;
}): Record<string, string> {
  const { name, nats, keys, service, folder } = parts;
  return {
    LOG_LEVEL: 'silent',
    MANAGEMENT_PORT: '0',
    SANDBOX: 'true',
    NATS_URL: nats.url,
    NATS_USER: name,
    NATS_PASSWORD: `${name}-password`,
    KEYS_FILE: keys.keysFile[name],
    PEERS_FILE: keys.peersFile,
    DATABASE_URL: service.appUrl,
    BASE_URL: 'http://127.0.0.1:3000',
    CALLBACK_ALLOW_LOOPBACK: 'true',
    CRASHPOINT_DIR: join(folder, 'crashpoints'),
    CA_DIRECTORY: join(folder, 'ca'),
  };
}

async function runProvision(options: {
  file: string | URL;
  seedFile: string | undefined;
  env: Record<string, string>;
  ownerUrl: string;
}): Promise<void> {
  const { file, seedFile, env, ownerUrl } = options;
  for (const folder of [env.CRASHPOINT_DIR, env.CA_DIRECTORY]) {
    if (folder !== undefined) await mkdir(folder, { recursive: true });
  }
  const path = file instanceof URL ? fileURLToPath(file) : file;
  await run(process.execPath, [path], {
    env: {
      PATH: process.env.PATH ?? '',
      ...env,
      DATABASE_OWNER_URL: ownerUrl,
      NATS_PROVISION_USER: 'provision',
      NATS_PROVISION_PASSWORD: 'provision-password',
      ...(seedFile === undefined ? {} : { SEED_FILE: seedFile }),
    },
  });
}

export interface RunningTestService extends AsyncDisposable {
  readonly parts: ServiceParts;
  /** In order, as on SIGTERM; throws when a cleanup failed. */
  stop(): Promise<void>;
}

/** Runs a service's `buildService` in this process, as `runService` would in its own. */
export async function startTestService<Config extends ServiceSettings>(options: {
  name: ServiceName;
  config: Config;
  build(config: Config, parts: ServiceParts): Promise<BuiltService | undefined> | BuiltService | undefined;
}): Promise<RunningTestService> {
  const { name, config, build } = options;
  const logger = createLogger({ service: name, ...config.log });
  const runner = createRunner({ logger, stopTimeoutMs: 15_000 });
  const health = createHealth({ isReady: runner.isReady });
  const parts: ServiceParts = { logger, runner, health, metrics: createMetrics({ service: name }) };
  const stop = async () => {
    const { faults } = await runner.stop('end of test');
    if (faults.length > 0) throw new Error(`${name} did not stop cleanly: ${JSON.stringify(faults)}`);
  };
  try {
    const service = await build(config, parts);
    if (service?.stop) runner.own(name, service.stop);
    await service?.start?.();
  } catch (error) {
    await runner.stop('start failed');
    throw error;
  }
  runner.markReady();
  return { parts, stop, [Symbol.asyncDispose]: stop };
}
