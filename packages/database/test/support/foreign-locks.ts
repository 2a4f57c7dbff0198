import type { TestDatabase } from '@rubrica/testkit';
import pg from 'pg';

/** Holds advisory locks of the database as the role of another service. */
export async function holdAdvisoryLocks(
  database: TestDatabase,
  names: readonly string[],
): Promise<AsyncDisposable> {
  const { appUrl } = await database.createService('terms');
  const client = new pg.Client({ connectionString: appUrl });
  await client.connect();
  await client.query('select pg_advisory_lock(hashtextextended(name, 0)) from unnest($1::text[]) as name', [
    names,
  ]);
  return { [Symbol.asyncDispose]: () => client.end() };
}
