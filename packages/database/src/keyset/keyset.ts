import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import { invalidField } from '@rubrica/process/errors';
import type { ScanCursor } from '../search/bounded-scan.ts';

/** End of a page: a moment, and the id to order rows of the same moment. */
export type KeysetPosition<At extends string = never> = { readonly id: string } & {
  readonly [Name in At]: Date;
};

/** Pages of rows, newest first, each starting where the previous one ended: rows added meanwhile shift nothing. */
export interface Keyset<At extends string = never> {
  /** @throws AppError FIELD_INVALID for a cursor that was not issued by a page */
  readCursor(cursor: string): KeysetPosition<At>;
  writeCursor(row: KeysetPosition<At>): string;
  /** Builds the condition for the rows after the cursor, for MikroORM. */
  after(cursor: string | undefined): object;
  /**
   * Cuts a page out of `limit + 1` rows.
   * @param reached position where the search ended early; the next page continues there
   */
  page<Row extends KeysetPosition<At>, Item>(
    rows: readonly Row[],
    limit: number,
    map: (row: Row) => Item,
    reached?: ScanCursor | null,
  ): CutPage<Item>;
  /** Order of an index on the same columns. */
  readonly orderBy: { readonly [Name in At | 'id']: 'desc' };
}

export interface CutPage<Item> {
  items: Item[];
  nextCursor: string | null;
  /** Present if the search ended before the page was full: everything newer was examined. */
  lookedBackTo?: string;
}

/**
 * Creates the keyset of a table.
 * @param at property with the creation time, in milliseconds; none for ids that are UUID v7, which are already in the
 * order of time
 */
export function createKeyset<At extends string = never>(at?: At): Keyset<At> {
  const formatMoment = (row: KeysetPosition<At>) =>
    at === undefined ? [] : [(row[at] as Date).toISOString()];
  const writeCursor = (row: KeysetPosition<At>) =>
    Buffer.from(JSON.stringify([...formatMoment(row), row.id])).toString('base64url');
  const readCursor = (cursor: string): KeysetPosition<At> => {
    const [id, moment] = parseParts(cursor);
    if (!uuidForm.test(id ?? '') || (at !== undefined && !isMoment(moment))) throw unknownCursor();
    return { id, ...(at !== undefined && { [at]: new Date(moment ?? '') }) } as KeysetPosition<At>;
  };
  return {
    readCursor,
    writeCursor,
    after(cursor) {
      if (cursor === undefined) return {};
      const { id, ...rest } = readCursor(cursor);
      if (at === undefined) return { id: { $lt: id } };
      const moment = Object.values(rest)[0];
      // The bound is redundant, but an index can start at it: an alternative alone is evaluated row by row.
      return { [at]: { $lte: moment }, $or: [{ [at]: { $lt: moment } }, { id: { $lt: id } }] };
    },
    page(rows, limit, map, reached = null) {
      const items = rows.slice(0, limit).map(map);
      const last = rows[limit - 1];
      if (rows.length > limit && last) return { items, nextCursor: writeCursor(last) };
      if (at === undefined || reached === null) return { items, nextCursor: null };
      const moment = new Date(reached.at);
      const nextCursor = writeCursor({ [at]: moment, id: reached.id } as KeysetPosition<At>);
      return { items, nextCursor, lookedBackTo: moment.toISOString() };
    },
    orderBy: { ...(at !== undefined && { [at]: 'desc' }), id: 'desc' } as Keyset<At>['orderBy'],
  };
}

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parses the id and the moment before it. The form is opaque to callers, so that it may change. */
function parseParts(cursor: string): (string | undefined)[] {
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
