import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { disposeAfterAll } from '@rubrica/testkit';
import { ensureDatabase, ensureServiceRoles, startPostgres, withClient } from '@rubrica/testkit/postgres';
import pg from 'pg';
import { expect, test } from 'vitest';
import { projectRoot } from '../src/setup/home.ts';
import { databaseServices } from '../src/setup/services.ts';
import { connectionLimits } from '../src/stack/connection-limits.ts';
import { temporaryDataFolder } from './helpers.ts';

/** Who may do what in a database, in words that can be compared. */
const rightsOf = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query(`
      select r.rolname as role, r.rolcanlogin as login, r.rolinherit as inherit, r.rolconfig as config,
        r.rolconnlimit as connections,
        r.rolsuper or r.rolcreatedb or r.rolcreaterole as mighty,
        has_database_privilege(r.oid, current_database(), 'connect') as connect,
        has_database_privilege(r.oid, 'postgres', 'connect') and current_database() <> 'postgres' as connects_elsewhere,
        has_database_privilege(r.oid, current_database(), 'create') as creates_schemas,
        has_schema_privilege(r.oid, 'public', 'usage') as public,
        has_function_privilege(r.oid, 'lo_create(oid)', 'execute') as makes_large_objects,
        has_database_privilege(r.oid, current_database(), 'temporary') as makes_temporary_tables,
        (select json_agg(p.oid::regprocedure order by 1) from pg_proc p where p.proname ~ '^pg_(try_)?advisory_'
          and has_function_privilege(r.oid, p.oid, 'execute')) as takes_advisory_locks,
        (select json_agg(n.nspname order by 1) from pg_namespace n
          where n.nspname !~ '^pg_|information' and has_schema_privilege(r.oid, n.oid, 'usage')) as uses,
        (select json_agg(n.nspname) from pg_namespace n where n.nspowner = r.oid) as owns
      from pg_roles r where r.rolname like 'rubrica\\_%' order by 1`);
    return rows;
  });

const folder = await disposeAfterAll(new AsyncDisposableStack());
const { path } = folder.use(await temporaryDataFolder());
const server = await startPostgres({
  dataDirectory: join(path, 'data'),
  logFile: join(path, 'postgres.log'),
  password: 'super',
});
folder.defer(() => server.stop());

const names = databaseServices.flatMap((service) => [`${service}_owner`, service]);
const urlOf = (database: string) => server.url({ user: 'rubrica', password: 'super', database });

/** The deployment's script, with further settings as `-c rubrica.terms_connections=40`. */
async function runScript(database: string, ...settings: string[]): Promise<void> {
  const passwords = names.map((name) => `-c rubrica.${name}_password=p-${name}`);
  const options = [...passwords, ...settings].join(' ');
  const client = new pg.Client({ connectionString: urlOf(database), options });
  await client.connect();
  await client.query(await readFile(join(projectRoot, 'deploy', 'postgres', 'roles.sql'), 'utf8'));
  await client.end();
}

const ask = async <Row>(sql: string) =>
  (await withClient(urlOf('postgres'), (client) => client.query(sql))).rows as Row[];

test('the deployment’s roles.sql and the embedded stack give the same rights, and both may run again', async () => {
  for (const database of ['deployed', 'embedded']) {
    await ensureDatabase({ superuserUrl: server.superuserUrl, database });
  }
  for (let round = 0; round < 2; round += 1) await runScript('deployed');
  const deployed = await rightsOf(urlOf('deployed'));
  const services = databaseServices.map((service) => ({
    service,
    ownerPassword: `p-${service}_owner`,
    appPassword: `p-${service}`,
    connections: connectionLimits[service],
  }));
  for (let round = 0; round < 2; round += 1) await ensureServiceRoles(urlOf('embedded'), services);
  expect(deployed).toEqual(await rightsOf(urlOf('embedded')));
  expect(deployed).toHaveLength(names.length);
  expect(deployed.find(({ role }) => role === 'rubrica_terms')).toEqual({
    role: 'rubrica_terms',
    login: true,
    inherit: false,
    config: [
      'search_path=terms',
      'TimeZone=UTC',
      'DateStyle=ISO, MDY',
      'IntervalStyle=postgres',
      'extra_float_digits=1',
      'bytea_output=hex',
      'default_transaction_isolation=read committed',
      'default_transaction_read_only=off',
      'default_transaction_deferrable=off',
      'lock_timeout=0',
      'row_security=on',
      'statement_timeout=15s',
      'idle_in_transaction_session_timeout=10s',
      'log_min_error_statement=panic',
    ],
    connections: 30,
    mighty: false,
    connect: true,
    connects_elsewhere: false,
    creates_schemas: false,
    public: false,
    makes_large_objects: false,
    makes_temporary_tables: false,
    takes_advisory_locks: null,
    uses: ['terms'],
    owns: null,
  });
  const own = server.url({ user: 'rubrica_terms', password: 'p-terms', database: 'deployed' });
  await withClient(own, (client) => client.query('select 1'));
});

test('beside release 0.1.0 the roles of a service keep its advisory locks, until the schema is that of this release', async () => {
  await ensureDatabase({ superuserUrl: server.superuserUrl, database: 'former' });
  const url = urlOf('former');
  const embedded = () =>
    ensureServiceRoles(
      url,
      databaseServices.map((service) => ({
        service,
        ownerPassword: `p-${service}_owner`,
        appPassword: `p-${service}`,
        connections: connectionLimits[service],
      })),
    );
  const locking = async () =>
    (await rightsOf(url))
      .filter(({ takes_advisory_locks: locks }) => locks !== null)
      .map(({ role, takes_advisory_locks: locks }) => [role, locks.length]);
  await runScript('former');
  expect(await locking()).toEqual([]);
  await withClient(url, (client) => client.query('create table terms.migrations (name text)'));
  const kept = [
    ['rubrica_terms', 3],
    ['rubrica_terms_owner', 3],
  ];
  for (const run of [() => runScript('former'), embedded]) {
    await run();
    expect(await locking()).toEqual(kept);
  }
  await withClient(url, (client) => client.query('create table terms.named_lock (name text)'));
  await runScript('former', '-c rubrica.services=terms', '-c rubrica.beside_0_1_0=on');
  expect(await locking()).toEqual(kept);
  await runScript('former');
  expect(await locking()).toEqual([]);
  await runScript('former', '-c rubrica.services=terms', '-c rubrica.beside_0_1_0=on');
  await embedded();
  expect(await locking()).toEqual([]);
});

test('the limits of all roles together leave connections of the server for people and backups', async () => {
  const [sum] = await ask<{ sum: number }>(
    `select sum(rolconnlimit)::int as sum from pg_roles where rolname like 'rubrica\\_%' and rolconnlimit > 0`,
  );
  const [own] = await ask<{ most: number; reserved: number }>(
    `select current_setting('max_connections')::int as most,
      current_setting('superuser_reserved_connections')::int as reserved`,
  );
  const reserved = (own?.reserved ?? 0) + 10;
  const places = ['compose.yaml', 'kubernetes/overlays/small/servers/postgres.yaml'];
  const deployed = places.map(async (file) => {
    const text = await readFile(join(projectRoot, 'deploy', file), 'utf8');
    return Number(/max_connections=(?<most>\d+)/.exec(text)?.groups?.most);
  });
  for (const most of [own?.most, ...(await Promise.all(deployed))])
    expect(most).toBeGreaterThanOrEqual((sum?.sum ?? 0) + reserved);
  expect(sum?.sum).toBe(162);
});

test('a database of one service takes in its roles alone', async () => {
  await ensureDatabase({ superuserUrl: server.superuserUrl, database: 'terms_alone' });
  await runScript('terms_alone', '-c rubrica.services=terms');
  const rights = await rightsOf(urlOf('terms_alone'));
  expect(rights.filter(({ connect }) => connect).map(({ role }) => role)).toEqual([
    'rubrica_terms',
    'rubrica_terms_owner',
  ]);
  const other = server.url({ user: 'rubrica_intake', password: 'p-intake', database: 'terms_alone' });
  await expect(withClient(other, (client) => client.query('select 1'))).rejects.toThrow('permission denied');
});

test('roles.sql keeps a limit that an operator has set, and takes one by a setting', async () => {
  const limitOf = async (role: string) => {
    const [row] = await ask<{ most: number }>(
      `select rolconnlimit as most from pg_roles where rolname = '${role}'`,
    );
    return row?.most;
  };
  await runScript('deployed', '-c rubrica.terms_connections=40');
  expect(await limitOf('rubrica_terms')).toBe(40);
  await runScript('deployed');
  expect(await limitOf('rubrica_terms')).toBe(40);
  await ask('alter role rubrica_terms connection limit -1');
  const own = server.url({ user: 'rubrica_terms', password: 'p-terms', database: 'deployed' });
  const clients = Array.from({ length: 31 }, () => new pg.Client({ connectionString: own }));
  await Promise.all(clients.map((client) => client.connect()));
  await runScript('deployed');
  expect(await limitOf('rubrica_terms')).toBe(-1);
  await Promise.all(clients.map((client) => client.end()));
  await runScript('deployed', '-c rubrica.terms_connections=30');
  expect(await limitOf('rubrica_terms')).toBe(30);
});
