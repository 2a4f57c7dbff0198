import pg from 'pg';
import type { TestDatabase } from './test-databases.ts';

/** Gives every role of the database its advisory locks, as the roles of a service have them beside release 0.1.0. */
export async function allowAdvisoryLocks({ query }: Pick<TestDatabase, 'query'>): Promise<void> {
  await query(`do $$ declare one oid; begin
    for one in select oid from pg_proc where proname ~ '^pg_(try_)?advisory_' loop
      execute format('grant execute on function %s to public', one::regprocedure);
    end loop; end $$`);
}

/** Holds advisory locks of the database as the role of another service. */
export async function holdAdvisoryLocks(
  database: TestDatabase,
  names: readonly string[],
): Promise<AsyncDisposable> {
  const { appUrl } = await database.createService('terms');
  await allowAdvisoryLocks(database);
  const client = new pg.Client({ connectionString: appUrl });
  await client.connect();
  await client.query('select pg_advisory_lock(hashtextextended(name, 0)) from unnest($1::text[]) as name', [
    names,
  ]);
  return { [Symbol.asyncDispose]: () => client.end() };
}
