import type { Client } from 'pg';
import { formatSection, type Row } from '../table.ts';

/** Octets of an issued request in one table with its indexes. */
export interface TableSpace {
  readonly table: string;
  readonly rows: number;
  readonly indexes: number;
  /** Indexes, largest first. */
  readonly each: readonly { readonly index: string; readonly octets: number }[];
}

/**
 * Tables without lasting data of a certificate. Evidence and bundles have their own retention, and published messages
 * are removed after fourteen days.
 */
const omittedTables = [
  'intake.evidence',
  'generation.bundle',
  'intake.outbox',
  'generation.outbox',
  'notifier.outbox',
];
const leastOctets = 2;

/** Measures all services per issued request; requests that ended otherwise are included. */
export async function measureSpace(client: Client): Promise<TableSpace[]> {
  const { rows } = await client.query<TableSpace>(
    `
    with issued as (select count(*)::float8 as count from generation.issuance where state = 'ISSUED'),
    tables as (
      select c.oid, n.nspname || '.' || c.relname as name from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('intake', 'generation', 'notifier', 'terms')
    )
    select name as table, pg_table_size(tables.oid) / issued.count as rows, pg_indexes_size(tables.oid) / issued.count as indexes,
      coalesce((
        select json_agg(json_build_object('index', relname, 'octets', pg_relation_size(oid) / issued.count)
          order by pg_relation_size(oid) desc)
        from pg_class where oid in (select indexrelid from pg_index where indrelid = tables.oid)
      ), '[]') as each
    from tables cross join issued
    where name <> all($1) and pg_total_relation_size(tables.oid) / issued.count >= $2
    order by pg_total_relation_size(tables.oid) desc`,
    [omittedTables, leastOctets],
  );
  return rows;
}

const wordTables = new Set(['intake.request_word', 'generation.certificate_word']);
const auditTables = new Set(['intake.audit', 'generation.audit_entry']);

export function spaceSection(spaces: readonly TableSpace[]): string {
  const rows = spaces.map(({ table, rows: ofRows, indexes, each }): Row => {
    const parts = each.map(({ index, octets }) => `${index} ${octets.toFixed(0)}`).join(', ');
    return { what: table, value: (ofRows + indexes).toFixed(0), note: `rows ${ofRows.toFixed(0)}, ${parts}` };
  });
  const of = (isCounted: (table: string) => boolean) =>
    spaces
      .filter(({ table }) => isCounted(table))
      .reduce((sum, space) => sum + space.rows + space.indexes, 0)
      .toFixed(0);
  return formatSection('Octets of PostgreSQL by issued request, without evidence and bundles', [
    ...rows,
    { what: 'words of searches', value: of((table) => wordTables.has(table)), note: '' },
    { what: 'audit', value: of((table) => auditTables.has(table)), note: '' },
    {
      what: 'all else',
      value: of((table) => !wordTables.has(table) && !auditTables.has(table)),
      note: '',
    },
    { what: 'together', value: of(() => true), note: '' },
  ]);
}
