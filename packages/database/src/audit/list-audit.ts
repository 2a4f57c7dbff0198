import { quoteIdentifier } from '../connection/identifiers.ts';
import type { SqlRunner } from '../connection/sql-runner.ts';
import type { AuditTable } from './audit-table.ts';

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
}

/** One page, newest row first, by keyset over the table's own numbers; rows without a place are listed as well. */
export async function listAudit(
  sql: SqlRunner,
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
  where((requestId) => `${expressions.requestId} = ${requestId}`, filter.requestId);
  where((since) => `at >= ${since}::timestamptz`, filter.since);
  where((until) => `at < ${until}::timestamptz`, filter.until);
  const rows = await sql.execute<ListedAuditRow>(
    `select ${id}::text as id, chain_sequence::float8 as sequence, encode(hash, 'hex') as hash,
       to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, actor, action,
       ${expressions.target} as target, (${expressions.requestId})::text as "requestId",
       ${expressions.reason} as reason, ${expressions.details} as details
     from ${quoteIdentifier(table.name)} as row ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
     order by row.${id} desc limit $1`,
    params,
  );
  const items = rows.slice(0, filter.limit);
  return { items, nextCursor: rows.length > filter.limit ? (items.at(-1)?.id ?? null) : null };
}
