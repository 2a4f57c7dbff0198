import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureDatabase, ensureServiceRoles, startPostgres, withClient } from '@rubrica/testkit/postgres';
import pg from 'pg';
import { expect, test } from 'vitest';
import { projectRoot } from '../src/setup/home.ts';
import { databaseServices } from '../src/setup/services.ts';
import { temporaryDataFolder } from './helpers.ts';

/** Who may do what in a database, in words that can be compared. */
const rightsOf = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query(`
      select r.rolname as role, r.rolcanlogin as login, r.rolinherit as inherit, r.rolconfig as config,
        r.rolsuper or r.rolcreatedb or r.rolcreaterole as mighty,
        has_database_privilege(r.oid, current_database(), 'connect') as connect,
        has_database_privilege(r.oid, current_database(), 'create') as creates_schemas,
        has_schema_privilege(r.oid, 'public', 'usage') as public,
        (select json_agg(n.nspname order by 1) from pg_namespace n
          where n.nspname !~ '^pg_|information' and has_schema_privilege(r.oid, n.oid, 'usage')) as uses,
        (select json_agg(n.nspname) from pg_namespace n where n.nspowner = r.oid) as owns
      from pg_roles r where r.rolname like 'rubrica\\_%' order by 1`);
    return rows;
  });

test('the deployment’s roles.sql and the embedded stack give the same rights, and both may run again', async () => {
  await using folder = await temporaryDataFolder();
  const server = await startPostgres({
    dataDirectory: join(folder.path, 'data'),
    logFile: join(folder.path, 'postgres.log'),
    password: 'super',
  });
  try {
    const urlOf = (database: string) => server.url({ user: 'rubrica', password: 'super', database });
    for (const database of ['deployed', 'embedded']) {
      await ensureDatabase({ superuserUrl: server.superuserUrl, database });
    }
    const names = databaseServices.flatMap((service) => [`${service}_owner`, service]);
    const options = names.map((name) => `-c rubrica.${name}_password=p-${name}`).join(' ');
    const script = await readFile(join(projectRoot, 'deploy', 'postgres', 'roles.sql'), 'utf8');
    for (let round = 0; round < 2; round += 1) {
      const client = new pg.Client({ connectionString: urlOf('deployed'), options });
      await client.connect();
      await client.query(script);
      await client.end();
    }
    const deployed = await rightsOf(urlOf('deployed'));
    const services = databaseServices.map((service) => ({
      service,
      ownerPassword: `p-${service}_owner`,
      appPassword: `p-${service}`,
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
        'statement_timeout=15s',
        'idle_in_transaction_session_timeout=10s',
      ],
      mighty: false,
      connect: true,
      creates_schemas: false,
      public: false,
      uses: ['terms'],
      owns: null,
    });
    const own = server.url({ user: 'rubrica_terms', password: 'p-terms', database: 'deployed' });
    await withClient(own, (client) => client.query('select 1'));
  } finally {
    await server.stop();
  }
});
