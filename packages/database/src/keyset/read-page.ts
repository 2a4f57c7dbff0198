import type { EntityManager, EntityName, FindOptions } from '@mikro-orm/postgresql';
import type { Keyset, KeysetPosition } from './keyset.ts';

export interface PageQuery<Row, At extends string> {
  readonly keyset: Keyset<At>;
  /** Required value of each property; undefined filters do not count. */
  readonly filters: { readonly [Name in keyof Row]?: Row[Name] | undefined };
  readonly cursor: string | undefined;
  readonly limit: number;
}

/**
 * Reads one page of an entity, newest row first.
 * @throws AppError FIELD_INVALID for a cursor that was not issued by a page
 */
export async function readPage<At extends string, Row extends KeysetPosition<At>, Item>(
  em: EntityManager,
  [entity, map]: readonly [entity: EntityName<Row>, map: (row: Row) => Item],
  { keyset, filters, cursor, limit }: PageQuery<Row, At>,
): Promise<{ items: Item[]; nextCursor: string | null }> {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const where = { ...Object.fromEntries(given), ...keyset.after(cursor) };
  const options = { orderBy: keyset.orderBy, limit: limit + 1 } as FindOptions<Row>;
  return keyset.page(await em.find(entity, where as never, options), limit, map);
}
