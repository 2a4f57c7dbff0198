import type { Database } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import { z } from 'zod';

/** Equality filters by column. Columns are ours; values are bound. Undefined ones do not count. */
export interface PageQuery {
  readonly table: 'delivery' | 'message' | 'endpoint';
  readonly columns: string;
  readonly filters: Readonly<Record<string, string | undefined>>;
  readonly cursor: string | undefined;
  readonly limit: number;
}

/**
 * One page, newest first. Ids are UUID v7, so their order is that of time and they alone are the position:
 * what is added meanwhile moves nothing.
 * @throws AppError FIELD_INVALID for a cursor that this service never gave
 */
export async function readPage<Row extends { id: string }>(
  database: Pick<Database, 'execute'>,
  { table, columns, filters, cursor, limit }: PageQuery,
): Promise<{ items: Row[]; nextCursor: string | null }> {
  const params: unknown[] = [limit + 1];
  const bound = (value: string) => `$${params.push(value)}`;
  const conditions = Object.entries(filters).flatMap(([column, value]) =>
    value === undefined ? [] : [`${column} = ${bound(value)}`],
  );
  if (cursor !== undefined) conditions.push(`id < ${bound(readCursor(cursor))}`);
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  const sql = `select ${columns} from ${table} ${where} order by id desc limit $1`;
  const rows = await database.execute<Row>(sql, params);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? writeCursor(last.id) : null };
}

/** Opaque to callers, so that its content may change. */
const writeCursor = (id: string): string => Buffer.from(id).toString('base64url');

function readCursor(cursor: string): string {
  const id = z.uuid().safeParse(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (id.success) return id.data;
  const message = 'cursor is not one that an earlier page gave';
  throw new AppError({
    code: 'FIELD_INVALID',
    publicMessage: message,
    details: [{ code: 'FIELD_INVALID', field: 'cursor', message, correctable: true, retryable: false }],
  });
}
