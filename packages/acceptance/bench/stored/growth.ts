import type { Client } from 'pg';

/** Current size of an index, and its size with more rows of the same kind. */
export interface IndexGrowth {
  readonly name: string;
  readonly megabytes: number;
  /** Pages that a lookup reads above the leaf. */
  readonly levels: number;
  readonly megabytesThen: number;
  readonly levelsThen: number;
}

interface IndexSize {
  readonly name: string;
  readonly bytes: number;
  readonly levels: number;
  readonly leaves: number;
  readonly inner: number;
}

/**
 * Extrapolates an index.
 * @param factor multiple of the rows
 */
export function grown({ name, bytes, levels, leaves, inner }: IndexSize, factor: number): IndexGrowth {
  const fanOut = inner > 1 ? leaves / inner : usualFanOut;
  const leavesThen = Math.max(1, leaves * factor);
  const levelsThen = Math.max(levels, Math.ceil(Math.log(leavesThen) / Math.log(Math.max(2, fanOut))));
  return { name, megabytes: bytes / 1e6, levels, megabytesThen: (bytes * factor) / 1e6, levelsThen };
}

/** Entries of an inner page, if only the root exists to derive it from. */
const usualFanOut = 200;

/** Measures the B-trees of more than 100 pages, largest first. */
export async function measureGrowth(client: Client, factor: number): Promise<IndexGrowth[]> {
  await client.query('create extension if not exists pgstattuple');
  const { rows } = await client.query<IndexSize>(
    `
    select schema || '.' || index as name, bytes::float8, tree_level as levels, leaf_pages::float8 as leaves,
      internal_pages::float8 as inner
    from (
      select n.nspname as schema, c.relname as index, c.oid, pg_relation_size(c.oid) as bytes
      from pg_class as c join pg_namespace as n on n.oid = c.relnamespace join pg_am on pg_am.oid = c.relam
      where c.relkind = 'i' and amname = 'btree' and n.nspname = any($1) and c.relpages > 100
    ) as indexes cross join lateral pgstatindex(oid)
    order by bytes desc`,
    [schemas],
  );
  return rows.map((row) => grown(row, factor));
}

export const schemas = ['intake', 'generation', 'notifier'];

/** Lists tables with more rows than this, as `schema.table`: those that grow with the stored data. */
export async function growingTables(client: Client, moreThan: number): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = any($1) and c.reltuples > $2`,
    [schemas, moreThan],
  );
  return new Set(rows.map(({ name }) => name));
}
