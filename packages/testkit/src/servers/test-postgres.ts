import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  appRole,
  ensureCluster,
  ensureDatabase,
  ensureServiceRoles,
  locateBinaries,
  ownerRole,
  postgresAccount,
  startPostgres,
  withClient,
} from './postgres/index.ts';
import { scratchDirectory, scratchRoot } from './scratch.ts';

const run = promisify(execFile);
const password = 'test';

export interface TestPostgres extends AsyncDisposable {
  readonly port: number;
  /** Database `postgres`, as superuser. */
  readonly superuserUrl: string;
  pid(): number;
  /** SIGKILL by default: a crash, after which committed work must still be there. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** On the same port and data. */
  restart(): Promise<void>;
  /** An empty database, or a clone of the `template` database. */
  createDatabase(options?: { template?: string }): Promise<TestDatabase>;
  /** Prepares a database once for this server, then hands out clones: migrations run once, not per test. */
  fromTemplate(key: string, prepare: (database: TestDatabase) => Promise<void>): Promise<TestDatabase>;
  /** Short for a new database with one service in it. */
  service(name: string): Promise<TestService>;
}

export interface TestDatabase {
  readonly name: string;
  readonly superuserUrl: string;
  /** Roles `rubrica_<service>_owner` and `rubrica_<service>` and the schema `<service>`, as in a real stack. */
  createService(name: string): Promise<TestService>;
  /** Runs one statement as superuser and gives its rows. */
  query<T = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<T[]>;
}

export interface TestService {
  readonly schema: string;
  /** DATABASE_OWNER_URL: owns the schema. */
  readonly ownerUrl: string;
  readonly ownerRole: string;
  /** DATABASE_URL: what the running service uses; sees only what migrations grant. */
  readonly appUrl: string;
  readonly appRole: string;
  readonly database: TestDatabase;
}

/**
 * Nothing is flushed to the disk, and yet a killed server process loses no commit: the kernel keeps what was
 * written. `synchronous_commit` must stay on for that; without it the last commits are still unwritten.
 */
const fastSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  shared_buffers: '32MB',
  max_wal_size: '256MB',
};

/**
 * A real PostgreSQL of this test process, gone with it.
 * ```ts
 * await using postgres = await testPostgres();
 * const { appUrl, ownerUrl } = await postgres.service('intake');
 * ```
 */
export async function testPostgres(
  options: { settings?: Record<string, string> } = {},
): Promise<TestPostgres> {
  const scratch = await scratchDirectory('postgres');
  const dataDirectory = join(scratch.path, 'data');
  await run('cp', ['-a', await clusterTemplate(), dataDirectory]);
  const server = await startPostgres({
    dataDirectory,
    logFile: join(scratch.path, 'postgres.log'),
    password,
    settings: { ...fastSettings, ...options.settings },
  });
  const urlOf = (user: string, database: string) => server.url({ user, password, database });
  const createDatabase = async (request: { template?: string } = {}): Promise<TestDatabase> => {
    const name = `test_${randomBytes(6).toString('hex')}`;
    await ensureDatabase({ superuserUrl: server.superuserUrl, database: name, ...request });
    return testDatabase(name, urlOf);
  };
  const prepareTemplate = async (prepare: (database: TestDatabase) => Promise<void>) => {
    const database = await createDatabase();
    await prepare(database);
    return database;
  };
  const templates = new Map<string, Promise<TestDatabase>>();
  return {
    port: server.port,
    superuserUrl: server.superuserUrl,
    pid: server.pid,
    kill: server.kill,
    restart: server.restart,
    createDatabase,
    async fromTemplate(key, prepare) {
      const prepared = templates.get(key) ?? prepareTemplate(prepare);
      templates.set(key, prepared);
      const { name } = await prepared;
      await disconnectAll(server.superuserUrl, name);
      const clone = await createDatabase({ template: name });
      await copyGrants(clone);
      return clone;
    },
    service: async (name) => (await createDatabase()).createService(name),
    async [Symbol.asyncDispose]() {
      // Nothing is kept, so the checkpoint of an orderly stop would be wasted.
      await server.kill('SIGQUIT');
      await scratch[Symbol.asyncDispose]();
    },
  };
}

function testDatabase(name: string, urlOf: (user: string, database: string) => string): TestDatabase {
  const superuserUrl = urlOf('rubrica', name);
  const database: TestDatabase = {
    name,
    superuserUrl,
    async createService(service) {
      await ensureServiceRoles(superuserUrl, [{ service, ownerPassword: password, appPassword: password }]);
      return {
        schema: service,
        ownerRole: ownerRole(service),
        ownerUrl: urlOf(ownerRole(service), name),
        appRole: appRole(service),
        appUrl: urlOf(appRole(service), name),
        database,
      };
    },
    async query<T>(sql: string, params: unknown[] = []) {
      return withClient(superuserUrl, async (client) => (await client.query(sql, params)).rows as T[]);
    },
  };
  return database;
}

/** PostgreSQL clones a database only while nobody is connected to it. */
async function disconnectAll(superuserUrl: string, database: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      database,
    ]);
  });
}

/** A clone holds schemas and tables but not the right to connect, which belongs to the database itself. */
async function copyGrants(clone: TestDatabase): Promise<void> {
  await clone.query(`do $$ declare r name; begin
    for r in select rolname from pg_roles where rolname like 'rubrica\\_%' loop
      execute format('grant connect on database %I to %I', current_database(), r);
    end loop; end $$`);
}

/** initdb takes over a second, so its result is made once per version and copied. */
async function clusterTemplate(): Promise<string> {
  const account = await postgresAccount();
  const binaries = await locateBinaries({ copyForOtherUser: account !== undefined });
  const template = join(scratchRoot, `cluster-${binaries.version}`);
  if (await exists(template)) return template;
  await mkdir(scratchRoot, { recursive: true, mode: 0o755 });
  const draft = join(scratchRoot, `cluster-draft-${process.pid}-${randomBytes(4).toString('hex')}`);
  await ensureCluster({ dataDirectory: draft, binaries, account, password });
  try {
    await rename(draft, template);
  } catch (error) {
    // Another test process finished its template first.
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(template))) throw error;
  }
  return template;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
