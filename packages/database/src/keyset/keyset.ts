import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import { invalidField } from '@rubrica/process';
import type { Reached } from '../search/look-back.ts';

/** Where a page ended: a moment, and the id where several rows are of the same one. */
export type Place<At extends string = never> = { readonly id: string } & { readonly [Name in At]: Date };

/** Pages of rows, newest first, each from where the one before ended: what is added meanwhile moves nothing. */
export interface Keyset<At extends string = never> {
  /** @throws AppError FIELD_INVALID for a cursor that no page gave */
  readCursor(cursor: string): Place<At>;
  writeCursor(row: Place<At>): string;
  /** The rows after the cursor, as a condition of MikroORM's. */
  after(cursor: string | undefined): object;
  /**
   * Cuts a page out of `limit + 1` rows.
   * @param reached where the look for them ended, if not at the end: the next page goes on from there
   */
  page<Row extends Place<At>, Item>(
    rows: readonly Row[],
    limit: number,
    map: (row: Row) => Item,
    reached?: Reached | null,
  ): CutPage<Item>;
  /** As an index on the same columns gives them. */
  readonly orderBy: { readonly [Name in At | 'id']: 'desc' };
}

export interface CutPage<Item> {
  items: Item[];
  nextCursor: string | null;
  /** There where the look ended before the page was full: all that is newer was looked at. */
  lookedBackTo?: string;
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
    page(rows, limit, map, reached = null) {
      const items = rows.slice(0, limit).map(map);
      const last = rows[limit - 1];
      if (rows.length > limit && last) return { items, nextCursor: writeCursor(last) };
      if (at === undefined || reached === null) return { items, nextCursor: null };
      const moment = new Date(reached.at);
      const nextCursor = writeCursor({ [at]: moment, id: reached.id } as Place<At>);
      return { items, nextCursor, lookedBackTo: moment.toISOString() };
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
  return invalidField('cursor', createFieldText('cursor', createText('field.cursorUnknown')));
}
