import { invalidField } from '@rubrica/process';

/** Where a page ended: a moment, and the id where several rows are of the same one. */
export type Place<At extends string = never> = { readonly id: string } & { readonly [Name in At]: Date };

/** Pages of rows, newest first, each from where the one before ended: what is added meanwhile moves nothing. */
export interface Keyset<At extends string = never> {
  /** @throws AppError FIELD_INVALID for a cursor that no page gave */
  readCursor(cursor: string): Place<At>;
  writeCursor(row: Place<At>): string;
  /** The rows after the cursor, as a condition of MikroORM's. */
  after(cursor: string | undefined): object;
  /** Cuts a page out of `limit + 1` rows. */
  page<Row extends Place<At>, Item>(
    rows: readonly Row[],
    limit: number,
    map: (row: Row) => Item,
  ): { items: Item[]; nextCursor: string | null };
  /** As an index on the same columns gives them. */
  readonly orderBy: { readonly [Name in At | 'id']: 'desc' };
}

/**
 * @param at the property that says when a row was made, of milliseconds; none where ids are UUID v7, whose order is
 * that of time already
 */
export function keyset<At extends string = never>(at?: At): Keyset<At> {
  const momentOf = (row: Place<At>) => (at === undefined ? [] : [(row[at] as Date).toISOString()]);
  const writeCursor = (row: Place<At>) =>
    Buffer.from(JSON.stringify([...momentOf(row), row.id])).toString('base64url');
  const readCursor = (cursor: string): Place<At> => {
    const [id, moment] = partsOf(cursor);
    if (!uuidForm.test(id ?? '') || (at !== undefined && !isMoment(moment))) throw unknownCursor();
    return { id, ...(at !== undefined && { [at]: new Date(moment ?? '') }) } as Place<At>;
  };
  return {
    readCursor,
    writeCursor,
    after(cursor) {
      if (cursor === undefined) return {};
      const { id, ...rest } = readCursor(cursor);
      if (at === undefined) return { id: { $lt: id } };
      const moment = Object.values(rest)[0];
      // The bound says nothing new, but an index can begin at it: an alternative alone is looked at row by row.
      return { [at]: { $lte: moment }, $or: [{ [at]: { $lt: moment } }, { id: { $lt: id } }] };
    },
    page(rows, limit, map) {
      const items = rows.slice(0, limit);
      const last = items.at(-1);
      return { items: items.map(map), nextCursor: rows.length > limit && last ? writeCursor(last) : null };
    },
    orderBy: { ...(at !== undefined && { [at]: 'desc' }), id: 'desc' } as Keyset<At>['orderBy'],
  };
}

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id, and before it the moment. Opaque to callers, so that its content may change. */
function partsOf(cursor: string): (string | undefined)[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts.map(String).toReversed() : [];
  } catch {
    return [];
  }
}

function isMoment(text: string | undefined): boolean {
  const moment = new Date(text ?? '');
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === text;
}

function unknownCursor() {
  return invalidField('cursor', 'cursor is not one that an earlier page gave');
}
