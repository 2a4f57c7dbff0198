import { randomBytes } from 'node:crypto';
import {
  appRole,
  ensureDatabase,
  ensureServiceRoles,
  ownerRole,
  superuser,
  withClient,
} from './postgres/index.ts';
import { loopback } from './processes/index.ts';

/** Password of every role on a test's server. */
export const testPassword = 'test';

/** Tests of many processes share the roles of one server, which limits them. */
const noLimits = { owner: 1_000, app: 1_000 };

/** Part of a server that a test may use if it shares the server. */
export interface TestDatabases {
  readonly port: number;
  /** URL of the database `postgres`, as superuser. */
  readonly superuserUrl: string;
  /** Creates an empty database, or a clone of the `template` database. */
  createDatabase(options?: { template?: string }): Promise<TestDatabase>;
  /** Prepares a database once for this server, then returns clones: migrations run once, not per test. */
  fromTemplate(key: string, prepare: (database: TestDatabase) => Promise<void>): Promise<TestDatabase>;
  /** Creates a database with one service in it. */
  service(name: string): Promise<TestService>;
}

export interface TestDatabase {
  readonly name: string;
  readonly superuserUrl: string;
  /**
   * Creates the roles `rubrica_<service>_owner` and `rubrica_<service>` and the schema `<service>`, as in a real stack.
   */
  createService(name: string): Promise<TestService>;
  /**
   * Runs one statement as superuser.
   * @returns its rows
   */
  query<T = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<T[]>;
}

export interface TestService {
  readonly schema: string;
  /** DATABASE_OWNER_URL: owns the schema. */
  readonly ownerUrl: string;
  readonly ownerRole: string;
  /** DATABASE_URL of the running service, which has only the rights that migrations grant. */
  readonly appUrl: string;
  readonly appRole: string;
  readonly database: TestDatabase;
}

/** Gives access to the databases of the test server on this port. */
export function databasesAt(port: number): TestDatabases {
  const superuserUrl = buildUrl({ port, user: superuser, database: 'postgres' });
  const createDatabase = async (request: { template?: string } = {}): Promise<TestDatabase> => {
    const name = `test_${randomBytes(6).toString('hex')}`;
    if (request.template !== undefined) await disconnectAll(superuserUrl, request.template);
    await ensureDatabase({ superuserUrl, database: name, strategy: 'file_copy', ...request });
    return testDatabase(port, name);
  };
  const templates = new Map<string, Promise<TestDatabase>>();
  const prepareTemplate = async (prepare: (database: TestDatabase) => Promise<void>) => {
    const database = await createDatabase();
    await prepare(database);
    return database;
  };
  return {
    port,
    superuserUrl,
    createDatabase,
    async fromTemplate(key, prepare) {
      const prepared = templates.get(key) ?? prepareTemplate(prepare);
      templates.set(key, prepared);
      const { name } = await prepared;
      const clone = await createDatabase({ template: name });
      await copyGrants(clone);
      return clone;
    },
    service: async (name) => (await createDatabase()).createService(name),
  };
}

function buildUrl({ port, user, database }: { port: number; user: string; database: string }): string {
  return `postgres://${user}:${testPassword}@${loopback}:${port}/${database}`;
}

function testDatabase(port: number, name: string): TestDatabase {
  const superuserUrl = buildUrl({ port, user: superuser, database: name });
  const database: TestDatabase = {
    name,
    superuserUrl,
    async createService(service) {
      const passwords = { ownerPassword: testPassword, appPassword: testPassword };
      await ensureServiceRoles(superuserUrl, [{ service, ...passwords, connections: noLimits }]);
      const roleUrl = (user: string) => buildUrl({ port, user, database: name });
      return {
        schema: service,
        ownerRole: ownerRole(service),
        ownerUrl: roleUrl(ownerRole(service)),
        appRole: appRole(service),
        appUrl: roleUrl(appRole(service)),
        database,
      };
    },
    async query<T>(sql: string, params: unknown[] = []) {
      return withClient(superuserUrl, async (client) => (await client.query(sql, params)).rows as T[]);
    },
  };
  return database;
}

/** Disconnects all sessions: PostgreSQL clones a database only without connections. */
async function disconnectAll(superuserUrl: string, database: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      database,
    ]);
  });
}

/** Grants the right to connect, which belongs to the database itself: a clone contains only schemas and tables. */
async function copyGrants(clone: TestDatabase): Promise<void> {
  await clone.query(`do $$ declare r name; begin
    for r in select rolname from pg_roles where rolname like 'rubrica\\_%' loop
      execute format('grant connect on database %I to %I', current_database(), r);
    end loop; end $$`);
}
