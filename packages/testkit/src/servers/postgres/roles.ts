import pg from 'pg';

/** Parts of one service in the database: two roles, and a schema named after the service. */
export interface ServiceRoles {
  readonly service: string;
  /** Password of `rubrica_<service>_owner`, which owns the schema and migrates it. */
  readonly ownerPassword: string;
  /** Password of `rubrica_<service>`, to which migrations grant the rights of the running service. */
  readonly appPassword: string;
  readonly connections: ConnectionLimits;
}

/** Maximum sessions of a role at a time: one role cannot use up those of the server. */
export interface ConnectionLimits {
  readonly owner: number;
  readonly app: number;
}

/**
 * Session settings of a service behind a pooler; other sessions set them themselves. As in `deploy/postgres/roles.sql`.
 */
const serviceDefaults = [
  ['timezone', 'UTC'],
  ['datestyle', 'ISO, MDY'],
  ['intervalstyle', 'postgres'],
  ['extra_float_digits', '1'],
  ['bytea_output', 'hex'],
  ['default_transaction_isolation', 'read committed'],
  ['default_transaction_read_only', 'off'],
  ['default_transaction_deferrable', 'off'],
  ['lock_timeout', '0'],
  ['row_security', 'on'],
  ['statement_timeout', '15s'],
  ['idle_in_transaction_session_timeout', '10s'],
  ['log_min_error_statement', 'panic'],
] as const;

export function ownerRole(service: string) {
  return `rubrica_${service}_owner`;
}

export function appRole(service: string) {
  return `rubrica_${service}`;
}

/** Creates the database unless it exists. `superuserUrl` may name any database of the server. */
export async function ensureDatabase(options: {
  superuserUrl: string;
  database: string;
  template?: string;
  /**
   * Method of copying the template. Copying files takes half the time, but needs two checkpoints, which slow a busy
   * server.
   */
  strategy?: 'wal_log' | 'file_copy';
}): Promise<{ created: boolean }> {
  return withClient(options.superuserUrl, async (client) => {
    const found = await client.query('select 1 from pg_database where datname = $1', [options.database]);
    if (found.rowCount) return { created: false };
    const name = pg.escapeIdentifier(options.database);
    const template = pg.escapeIdentifier(options.template ?? 'template1');
    await client.query(
      `create database ${name} template ${template} strategy ${options.strategy ?? 'wal_log'}`,
    );
    // By default every role may connect to every database and, through PUBLIC, read its catalogue.
    await client.query(`revoke all on database ${name} from public`);
    return { created: true };
  });
}

/**
 * Creates or updates roles, passwords and schemas, all or none of them. `databaseUrl` names the database, as superuser.
 * Roles belong to the whole server, which tests of several processes share. The lock is therefore on the table of
 * roles, on which only a superuser has rights.
 */
export async function ensureServiceRoles(
  databaseUrl: string,
  services: readonly ServiceRoles[],
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('lock table pg_authid in share row exclusive mode');
    await client.query('revoke all on schema public from public');
    await client.query(closeFunctions);
    await client.query(closeDatabases);
    for (const service of services) await ensureService(client, service);
    await client.query('commit');
  });
}

async function ensureService(client: pg.Client, roles: ServiceRoles): Promise<void> {
  const schema = pg.escapeIdentifier(roles.service);
  const database = pg.escapeIdentifier(client.database ?? 'postgres');
  const { service, ownerPassword, appPassword, connections } = roles;
  const owner = await ensureRole(client, ownerRole(service), {
    password: ownerPassword,
    connections: connections.owner,
  });
  const app = await ensureRole(client, appRole(service), {
    password: appPassword,
    connections: connections.app,
  });
  await keepFormerLocks(client, service, { owner, app });
  await client.query(`create schema if not exists ${schema} authorization ${owner}`);
  await client.query(`grant connect on database ${database} to ${owner}, ${app}`);
  await client.query(`grant usage on schema ${schema} to ${app}`);
  for (const role of [owner, app]) await client.query(`alter role ${role} set search_path = ${schema}`);
  for (const [name, value] of serviceDefaults)
    await client.query(`alter role ${app} set ${name} = '${value}'`);
}

async function ensureRole(
  client: pg.Client,
  role: string,
  { password, connections }: { readonly password: string; readonly connections: number },
): Promise<string> {
  const name = pg.escapeIdentifier(role);
  const found = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  const verb = found.rowCount ? 'alter' : 'create';
  await client.query(
    `${verb} role ${name} with login noinherit nosuperuser nocreatedb nocreaterole connection limit ${connections} password ${pg.escapeLiteral(password)}`,
  );
  return name;
}

/**
 * Revokes functions that nothing here uses: large objects belong to no schema, advisory locks to no role. As in
 * `deploy/postgres/roles.sql`.
 */
const closeFunctions = `do $$ declare closed oid; begin
  for closed in select oid from pg_proc where pronamespace = 'pg_catalog'::regnamespace
    and (proname ~ '^pg_(try_)?advisory_' or proname in ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_import'))
  loop
    execute format('revoke execute on function %s from public', closed::regprocedure);
  end loop;
end $$`;

/**
 * Closes the maintenance databases, because revoking rights in one database does not affect others. As in
 * `deploy/postgres/roles.sql`.
 */
const closeDatabases = `do $$ declare maintenance text; begin
  for maintenance in select datname from pg_database
    where datname in ('postgres', 'template1') and datname <> current_database()
  loop
    execute format('revoke all on database %I from public', maintenance);
  end loop;
end $$`;

const formerLocks =
  'pg_try_advisory_lock(bigint), pg_try_advisory_xact_lock(bigint), pg_advisory_xact_lock(bigint)';

/** Keeps the advisory locks for copies of release 0.1.0, on a schema that this release has not yet migrated. */
async function keepFormerLocks(
  client: pg.Client,
  service: string,
  { owner, app }: { readonly owner: string; readonly app: string },
): Promise<void> {
  const { rows } = await client.query<{ former: boolean }>(
    `select to_regclass($1 || '.migrations') is not null and to_regclass($1 || '.named_lock') is null as former`,
    [service],
  );
  const [verb, preposition] = rows[0]?.former ? ['grant', 'to'] : ['revoke', 'from'];
  await client.query(`${verb} execute on function ${formerLocks} ${preposition} ${owner}, ${app}`);
}

/** Runs the work on its own connection and closes it. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
