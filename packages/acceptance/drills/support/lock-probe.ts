import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

/** Longest wait for a table's lock in milliseconds, by `schema.table`. */
export type LongestWaits = Readonly<Record<string, number>>;

const everyMs = 20;

/** Requests each table's lock repeatedly, as a service that writes does, until the work is done. */
export async function longestWaits(
  databaseUrl: string,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<LongestWaits> {
  const done = new AbortController();
  const waits = Object.fromEntries(tables.map((table) => [table, 0]));
  const probes = tables.map(async (table) => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    while (!done.signal.aborted) {
      const askedAt = performance.now();
      await client.query(`begin; lock table ${table} in row exclusive mode; commit`);
      waits[table] = Math.max(waits[table] ?? 0, performance.now() - askedAt);
      await delay(everyMs);
    }
    await client.end();
  });
  try {
    await work();
  } finally {
    done.abort();
    await Promise.all(probes);
  }
  return waits;
}
