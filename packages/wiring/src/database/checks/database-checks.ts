import {
  createDatabase,
  defaultPoolSize,
  judgeRoleSettings,
  readServerLoad,
  type SqlRunner,
  shownOctets,
} from '@rubrica/database/connection';
import type { databaseSettings } from '@rubrica/process/config';
import { createLogger } from '@rubrica/process/log';
import type { z } from 'zod';
import { assertNone, type Check, type CheckGroup } from '../../doctor/check.ts';
import { assertClock } from '../../doctor/clock.ts';
import { missingMigrations, type ReleaseSchema } from '../../provision/missing-migrations.ts';
import { judgeConnections, type RoleConnections } from './judge-connections.ts';
import { judgeLoad } from './judge-load.ts';

export interface DoctorDatabase extends ReleaseSchema {
  readonly database: z.output<typeof databaseSettings>;
  /** Connections that a copy uses in addition to its pool: relay and chainer. */
  readonly ownSessions: number;
  /** Connections of a copy's pool; default `defaultPoolSize`. */
  readonly poolSize?: number;
  /** Further checks, made if all others pass. */
  readonly further?: readonly Check[];
}

/**
 * Creates the checks of a service's database: it is reachable, with the correct time, with rights, and with the schema
 * of this release.
 */
export function databaseChecks({
  database,
  further = [],
  poolSize = defaultPoolSize,
  ownSessions,
  ...release
}: DoctorDatabase): CheckGroup {
  const { url, directUrl } = database;
  const { schema } = release;
  const connects = (
    name: string,
    setting: string,
    options: { url: string; directUrl?: string | undefined },
  ): Check => ({
    name,
    look: () =>
      withSql({ schema, ...options }, async (sql) => {
        const [row] = await sql.execute<{ who: string; base: string }>(
          'select current_user as who, current_database() as base',
        );
        return `connected to ${row?.base} as ${row?.who}`;
      }),
    remedy: `Look at ${setting}: whether PostgreSQL runs there, and lets this role in (pg_hba.conf, password, TLS).`,
  });
  const usual = { schema, url, directUrl };
  return [
    connects('database', 'DATABASE_URL', { url, directUrl }),
    ...(directUrl === undefined ? [] : [connects('direct', 'DATABASE_DIRECT_URL', { url: directUrl })]),
    {
      name: 'clock',
      look: () => withSql(usual, (sql) => assertClock('PostgreSQL', sql.clockMs)),
      remedy: 'Set the clock of this machine, or of the one of PostgreSQL (NTP): tokens are judged by it.',
    },
    {
      name: 'rights',
      look: () => withSql(usual, (sql) => checkRights(sql, schema)),
      remedy:
        'Run provisioning (node main.mjs provision) with this DATABASE_URL: it gives the role its rights.',
    },
    {
      name: 'migrations',
      look: () =>
        withSql(usual, async (sql) => {
          assertNone((await missingMigrations(sql, release)).map((name) => `${name} has not run`));
          return 'the schema is that of this release, or of a later one';
        }),
      remedy: 'Run provisioning of this release (node main.mjs provision).',
    },
    ...further,
    {
      name: 'role',
      look: () => withSql(usual, (sql) => checkRole(sql, schema)),
      remedy:
        'As superuser: ALTER ROLE … RESET ALL, and the same IN DATABASE; then run deploy/postgres/roles.sql. The role can set its own defaults: ask who has its password.',
    },
    {
      name: 'connections',
      look: () => withSql(usual, (sql) => checkConnections(sql, poolSize + ownSessions)),
      remedy:
        'Run deploy/postgres/roles.sql with rubrica.<service>_connections: its README says how to size the limit of a role.',
    },
    {
      name: 'server load',
      look: () => withSql(usual, checkLoad),
      remedy:
        'deploy/runbooks/RubricaDatabaseManyLocks.md and RubricaDatabaseOldSnapshot.md say how to find the session and end it.',
    },
  ];
}

async function withSql<Result>(
  options: { schema: string; url: string; directUrl?: string | undefined },
  work: (sql: SqlRunner & { clockMs(): Promise<number> }) => Promise<Result>,
): Promise<Result> {
  const logger = createLogger({ service: options.schema, level: 'silent', format: 'json' });
  await using sql = createDatabase({ ...options, entities: [], logger, poolSize: 1 });
  return await work(sql);
}

/** Checks the role's defaults, in this database and in all: a user of its password can change them permanently. */
async function checkRole(sql: SqlRunner, schema: string): Promise<string> {
  const rows = await sql.execute<{ entry: string }>(
    `select unnest(setconfig) as entry from pg_catalog.pg_db_role_setting s
      where setrole = (select oid from pg_catalog.pg_roles where rolname = current_user)
        and setdatabase in (0, (select oid from pg_catalog.pg_database where datname = current_database()))`,
  );
  const [shown] = await sql.execute<{ octets: number }>(
    `select setting::int as octets from pg_catalog.pg_settings where name = 'track_activity_query_size'`,
  );
  assertNone([
    ...judgeRoleSettings(
      rows.map(({ entry }) => entry),
      schema,
    ),
    ...(shown !== undefined && shown.octets > shownOctets
      ? [
          `track_activity_query_size is ${shown.octets}: above ${shownOctets} the role sees rows in statements that are not committed`,
        ]
      : []),
  ]);
  return `${rows.length} defaults of the role are those of provisioning`;
}

async function checkConnections(sql: SqlRunner, perCopy: number): Promise<string> {
  const [role] = await sql.execute<RoleConnections>(
    `select rolconnlimit as "limit", (select count(*)::int from pg_stat_activity where usename = rolname) as sessions
       from pg_roles where rolname = current_user`,
  );
  if (role === undefined) throw new Error('PostgreSQL does not list the role');
  return judgeConnections(role, perCopy);
}

/** Checks the load of all roles of the server: one of them can stop the writes of every service there. */
async function checkLoad(sql: SqlRunner): Promise<string> {
  const roles = await readServerLoad(sql);
  assertNone(judgeLoad(roles));
  return `${roles.length} roles of the server, none with many locks or an old snapshot`;
}

/** Checks the rights on the schema, and to read each table that is not withheld from the role on purpose. */
async function checkRights(sql: SqlRunner, schema: string): Promise<string> {
  const tables = await sql.execute<{ name: string; readable: boolean }>(
    `select relname as name, has_table_privilege(c.oid, 'select') as readable
       from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relkind in ('r', 'p') and c.relname <> 'migration_checksums'`,
    [schema],
  );
  if (tables.length === 0) throw new Error(`there is no schema ${schema}, or nothing in it`);
  const [usage] = await sql.execute<{ may: boolean }>(`select has_schema_privilege($1, 'usage') as may`, [
    schema,
  ]);
  assertNone(usage?.may ? [] : [`the role may not use schema ${schema}`]);
  assertNone(
    tables.filter(({ readable }) => !readable).map(({ name }) => `the role may not read ${schema}.${name}`),
  );
  return `${tables.length} tables of schema ${schema} can be read`;
}
