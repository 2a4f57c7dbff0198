import { quoteIdentifier, type SqlRunner } from '@rubrica/database/connection';
import type { EntryGuard, StoredEntry } from '@rubrica/database/entries';
import { storedEntrySql } from '../entries/stored-entry-sql.ts';
import { type AuditLog, type AuditTable, maxSequence } from '../log/audit-table.ts';

export interface AuditFilter {
  /** Number of the last row seen. */
  readonly before?: string | undefined;
  readonly limit: number;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly requestId?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface ListedAuditRow {
  readonly id: string;
  readonly sequence: number | null;
  readonly hash: string | null;
  /** ISO 8601 with milliseconds, UTC. */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly requestId: string | null;
  readonly reason: string | null;
  readonly details: Record<string, unknown>;
  /** True if the service wrote it; a user of its database role can add entries in any name. */
  readonly isAuthentic: boolean;
}

interface FoundRow extends Omit<ListedAuditRow, 'isAuthentic'> {
  readonly entry: StoredEntry;
}

/** Reads one page, newest row first, by keyset over the table's own numbers. Rows without a position are listed too. */
export async function listAudit(
  database: Pick<SqlRunner, 'execute'> & { readonly entries: Pick<EntryGuard, 'counts'> },
  { table, expressions }: AuditLog,
  filter: AuditFilter,
): Promise<{ items: ListedAuditRow[]; nextCursor: string | null }> {
  const id = quoteIdentifier(table.id);
  const params: unknown[] = [filter.limit + 1];
  const conditions: string[] = [];
  const where = (condition: (parameter: string) => string, value: string | undefined) => {
    if (value === undefined) return;
    params.push(value);
    conditions.push(condition(`$${params.length}`));
  };
  where((before) => `${id} < ${before}::bigint`, filter.before);
  where((actor) => `actor = ${actor}`, filter.actor);
  where((action) => `action = ${action}`, filter.action);
  where((requestId) => `(${expressions.requestId}) = ${requestId}`, filter.requestId?.toLowerCase());
  where((since) => sinceSql(table, `${since}::timestamptz`), filter.since);
  where((until) => untilSql(table, `${until}::timestamptz`), filter.until);
  const rows = await database.execute<FoundRow>(
    `select ${id}::text as id, chain_sequence::float8 as sequence, encode(hash, 'hex') as hash,
       to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, actor, action,
       ${expressions.target} as target, (${expressions.requestId})::text as "requestId",
       ${expressions.reason} as reason, ${expressions.details} as details, ${storedEntrySql(table, 'row')} as entry
     from ${quoteIdentifier(table.name)} as row ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
     order by row.${id} desc limit $1`,
    params,
  );
  const items = rows.slice(0, filter.limit).map(({ entry, ...row }) => ({
    ...row,
    isAuthentic: database.entries.counts(entry),
  }));
  return { items, nextCursor: rows.length > filter.limit ? (items.at(-1)?.id ?? null) : null };
}

/**
 * Longest delay between the time of a row and its number, by the length of a transaction and the difference of clocks.
 * So a time also limits the numbers, and the walk along them, newest first, meets no row that cannot match. The time
 * itself is compared in a form that no index serves: with an index on times a page would read and sort all rows between
 * them.
 */
const maxDelay = `interval '1 hour'`;

function sinceSql(table: AuditTable, since: string): string {
  const [name, id] = [quoteIdentifier(table.name), quoteIdentifier(table.id)];
  return `at + interval '0' >= ${since} and ${id} > coalesce(
    (select ${id} from ${name} where at < ${since} - ${maxDelay} order by at desc limit 1), 0)`;
}

function untilSql(table: AuditTable, until: string): string {
  const [name, id] = [quoteIdentifier(table.name), quoteIdentifier(table.id)];
  return `at + interval '0' < ${until} and ${id} < coalesce(
    (select ${id} from ${name} where at >= ${until} + ${maxDelay} order by at limit 1), ${maxSequence} + 1)`;
}
