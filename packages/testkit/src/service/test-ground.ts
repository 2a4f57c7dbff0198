import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import {
  importedApi,
  processesOnBus,
  toProvisionUser,
  toStreamsUser,
} from '@rubrica/contracts/messages/accounts';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { type Keyring, loadKeyring } from '@rubrica/process/keyring';
import { busAuthorization } from '../servers/nats/index.ts';
import { scratchDirectory } from '../servers/scratch.ts';
import { acquireDatabases, type SharedPostgres, sharedPostgres } from '../servers/shared-postgres.ts';
import type { TestDatabases, TestService } from '../servers/test-databases.ts';
import { type TestNats, testNats } from '../servers/test-nats.ts';
import type { TestPostgres } from '../servers/test-postgres.ts';
import { serviceSeals, type TestSeals } from './call-seals.ts';
import { type Provisioning, runProvision } from './run-provision.ts';
import { keyFilesIn, type ServiceKeyFiles, writeServiceKeys } from './service-keys.ts';

/** Environment of one service: PostgreSQL, nats-server with the deployment's allow-lists, keys of all five. */
export interface TestGround extends AsyncDisposable {
  readonly nats: TestNats;
  readonly keys: ServiceKeyFiles;
  /** Schema and roles of the service under test. */
  readonly service: TestService;
  /** Settings that the service's config reads; override or add when starting it. */
  readonly env: Readonly<Record<string, string>>;
  /** Creates the access and the keys of another service, for peers played by the test. */
  peer(name: ServiceName): Promise<TestPeer>;
  /** Access as a user without restrictions, who sees streams but not calls. */
  readonly observer: NatsAccess;
  /** Runs the command `provision` of the service's `src/main.ts` as a release does, and returns its log. */
  provision(main: URL, options?: Omit<Provisioning, 'main'>): Promise<string>;
  /** Folder for files of the test, which ends with it. */
  readonly folder: string;
}

export interface NatsAccess {
  readonly servers: string;
  readonly user: string;
  readonly password: string;
}

export interface TestPeer extends NatsAccess {
  /** Name on the bus too: the allow-lists tie a service's inbox to it. */
  readonly name: ServiceName;
  readonly keyring: Keyring;
  /** Seals its calls and answers; a test that connects with the password alone omits them. */
  readonly seals: TestSeals;
  /** Keys that prove its calls for partners and operators: intake signs, the peer seals. */
  readonly keys: { readonly intake: Keyring; readonly own: Keyring };
  /** Its connection for streams. */
  readonly streams: NatsAccess & { readonly name: string; readonly apiPrefix: string };
}

export interface GroundOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Provisions the service. The step runs once in a run of tests; each ground gets a copy of the result. */
  readonly provisioned?: Provisioning;
  /** Server that the test kills; default: the one that the files share. */
  readonly postgres?: TestPostgres;
}

export async function testGround(name: ServiceName, options: GroundOptions = {}): Promise<TestGround> {
  const { provisioned, postgres } = options;
  const shared = postgres === undefined ? sharedPostgres() : undefined;
  if (provisioned === undefined) return openGround(name, options);
  if (shared !== undefined) {
    return openGround(name, { ...options, from: await freezeOnce(name, { provisioned, shared }) });
  }
  await using owned = new AsyncDisposableStack();
  const ground = owned.use(await openGround(name, options));
  await ground.provision(provisioned.main, provisioned);
  owned.move();
  return ground;
}

/** Result of provisioning: a database to clone, streams and files to copy. */
interface Provisioned {
  readonly database: string;
  readonly streams: string;
  readonly files: string;
}

const provisionedGrounds = new Map<string, Promise<Provisioned>>();

interface FreezeParts {
  readonly provisioned: Provisioning;
  readonly shared: SharedPostgres;
}

function freezeOnce(name: ServiceName, parts: FreezeParts): Promise<Provisioned> {
  const { main, seed, env } = parts.provisioned;
  const key = JSON.stringify([name, String(main), seed, env]);
  const made = provisionedGrounds.get(key) ?? freeze(name, parts);
  provisionedGrounds.set(key, made);
  return made;
}

async function freeze(name: ServiceName, { provisioned, shared }: FreezeParts): Promise<Provisioned> {
  const folder = await mkdtemp(join(shared.folder, `${name}-`));
  const [streams, files] = [join(folder, 'streams'), join(folder, 'files')];
  await using ground = await openGround(name);
  await ground.provision(provisioned.main, provisioned);
  await ground.nats.leaveStore(streams);
  await cp(ground.folder, files, { recursive: true });
  return { database: ground.service.database.name, streams, files };
}

async function openGround(
  name: ServiceName,
  { env, postgres, from }: GroundOptions & { from?: Provisioned } = {},
): Promise<TestGround> {
  await using owned = new AsyncDisposableStack();
  const { path: folder } = owned.use(await scratchDirectory(name));
  if (from !== undefined) await cp(from.files, folder, { recursive: true });
  const extraConfig = await busAuthorization({
    passwords: Object.fromEntries(processesOnBus.map((name) => [name, toPassword(name)])),
    observers: { observer: toPassword('observer') },
  });
  const nats = owned.use(await testNats({ extraConfig, store: from?.streams }));
  const databases = postgres ?? owned.use(await acquireDatabases());
  const service = await openService(databases, { name, template: from?.database });
  const keys = from === undefined ? await writeServiceKeys(folder) : keyFilesIn(folder);
  const access = (user: string, owner = user) => ({
    servers: nats.url,
    user,
    password: toPassword(owner),
  });
  const environment = { ...createSettings({ name, nats, keys, service, folder }), ...env };
  const held = owned.move();
  return {
    nats,
    keys,
    service,
    env: environment,
    observer: access('observer'),
    folder,
    async peer(peer) {
      const keyringOf = (of: ServiceName) =>
        loadKeyring({ keysFile: keys.keysFile[of], peersFile: keys.peersFile }, of);
      const keyring = await keyringOf(peer);
      const user = toStreamsUser(peer);
      return {
        ...access(peer),
        name: peer,
        keyring,
        seals: serviceSeals(keyring),
        keys: { intake: await keyringOf('intake'), own: keyring },
        streams: { ...access(user, peer), name: user, apiPrefix: importedApi },
      };
    },
    provision: (main, { env: extra, ...rest } = {}) =>
      runProvision(
        { main, ...rest, env: { ...environment, ...extra } },
        { ownerUrl: service.ownerUrl, folder },
      ),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/**
 * Creates the service. In a clone the service's roles receive the right to connect, which belongs to the database
 * itself.
 */
async function openService(
  databases: TestDatabases,
  { name, template }: { name: string; template: string | undefined },
): Promise<TestService> {
  const database = await databases.createDatabase(template === undefined ? {} : { template });
  return database.createService(name);
}

/** Settings of a service that is not a sandbox, without those of a ground that only a sandbox accepts. */
export const asProduction = { SANDBOX: 'false', CALLBACK_ALLOW_LOOPBACK: '', CRASHPOINT_DIR: '' } as const;

function createSettings(parts: {
  name: ServiceName;
  nats: TestNats;
  keys: ServiceKeyFiles;
  service: TestService;
  folder: string;
}): Record<string, string> {
  const { name, nats, keys, service, folder } = parts;
  const compileCache = process.env.NODE_COMPILE_CACHE;
  return {
    LOG_LEVEL: 'silent',
    MANAGEMENT_PORT: '0',
    SANDBOX: 'true',
    NATS_URL: nats.url,
    NATS_USER: name,
    NATS_PASSWORD: toPassword(name),
    NATS_STREAMS_USER: toStreamsUser(name),
    NATS_PROVISION_USER: toProvisionUser(name),
    NATS_PROVISION_PASSWORD: toPassword(toProvisionUser(name)),
    KEYS_FILE: keys.keysFile[name],
    PEERS_FILE: keys.peersFile,
    ...databaseSettings(service),
    BASE_URL: 'http://127.0.0.1:3000',
    CALLBACK_ALLOW_LOOPBACK: 'true',
    CRASHPOINT_DIR: join(folder, 'crashpoints'),
    CA_DIRECTORY: join(folder, 'ca'),
    ...(compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache }),
  };
}

/** Uses PgBouncer if the run of tests requests it, and the service has no separate server. */
function databaseSettings({ appUrl }: TestService): Record<string, string> {
  const shared = sharedPostgres();
  if (shared?.through === undefined || Number(new URL(appUrl).port) !== shared.port)
    return { DATABASE_URL: appUrl };
  return { DATABASE_URL: shared.through(appUrl), DATABASE_DIRECT_URL: appUrl };
}

function toPassword(owner: string): string {
  return `${owner}-password`;
}
