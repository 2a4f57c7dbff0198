import { quoteIdentifier } from '../connection/identifiers.ts';
import type { SqlRunner } from '../connection/sql-runner.ts';
import { storedEntrySql } from './audit-sql.ts';
import { type AuditTable, greatestSequence } from './audit-table.ts';
import type { EntryGuard, StoredEntry } from './entry-guard.ts';

/**
 * For a service's migrations, after `auditChainSql`: what `listAudit` finds its rows by. Never edit; a change is a new
 * piece.
 */
export function auditSearchSql({ table, expressions }: AuditLog): string {
  const name = quoteIdentifier(table.name);
  const id = quoteIdentifier(table.id);
  return `
create index ${table.name}_by_actor on ${name} (actor, ${id});
create index ${table.name}_by_action on ${name} (action, ${id});
create index ${table.name}_by_request on ${name} ((${expressions.requestId}), ${id}) where (${expressions.requestId}) is not null;
create index ${table.name}_by_time on ${name} (at);
`;
}

/** SQL over the table's columns for what services store differently; never built from input. */
export interface AuditExpressions {
  readonly target: string;
  readonly requestId: string;
  readonly reason: string;
  readonly details: string;
}

/** A service's audit log: what is chained of it, and what operators see in it. */
export interface AuditLog<Service extends string = string> {
  readonly table: AuditTable<Service>;
  readonly expressions: AuditExpressions;
}

export interface AuditFilter {
  /** Own number of the last row seen. */
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
  /** True where the service wrote it; whoever has its database role can add entries in any name. */
  readonly isAuthentic: boolean;
}

interface FoundRow extends Omit<ListedAuditRow, 'isAuthentic'> {
  readonly entry: StoredEntry;
}

/** One page, newest row first, by keyset over the table's own numbers; rows without a place are listed as well. */
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
 * A row's number is given after its time, and within this: by the length of a transaction and how far clocks are apart.
 * So a time bounds the numbers too, and the walk along them, newest first, meets no row that cannot be meant. The time
 * itself is compared so that no index serves it: by that of the times a page would read and sort all that is between them.
 */
const longestDelay = `interval '1 hour'`;

function sinceSql(table: AuditTable, since: string): string {
  const [name, id] = [quoteIdentifier(table.name), quoteIdentifier(table.id)];
  return `at + interval '0' >= ${since} and ${id} > coalesce(
    (select ${id} from ${name} where at < ${since} - ${longestDelay} order by at desc limit 1), 0)`;
}

function untilSql(table: AuditTable, until: string): string {
  const [name, id] = [quoteIdentifier(table.name), quoteIdentifier(table.id)];
  return `at + interval '0' < ${until} and ${id} < coalesce(
    (select ${id} from ${name} where at >= ${until} + ${longestDelay} order by at limit 1), ${greatestSequence} + 1)`;
}
