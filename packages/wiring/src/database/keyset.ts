import * as fields from '@rubrica/contracts/shared/fields';
import { invalidField } from '@rubrica/process';
import { z } from 'zod';

const position = z.tuple([z.iso.datetime(), fields.idSchema]);

/** Where the next page begins: after this row, newest first. */
export interface Position {
  readonly createdAt: Date;
  readonly id: string;
}

export function encodeCursor({ createdAt, id }: Position): string {
  return Buffer.from(JSON.stringify([createdAt.toISOString(), id])).toString('base64url');
}

/** @throws AppError FIELD_INVALID for a cursor that was not given out by us */
export function decodeCursor(cursor: string): Position {
  try {
    const [createdAt, id] = position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return { createdAt: new Date(createdAt), id };
  } catch (cause) {
    throw invalidField('cursor', 'cursor is not one that an earlier page gave', { cause });
  }
}

/** The rows after `cursor`, newest first: the condition that an index on (created_at, id) answers. */
export function after(cursor: string | undefined) {
  if (cursor === undefined) return {};
  const { createdAt, id } = decodeCursor(cursor);
  return { $or: [{ createdAt: { $lt: createdAt } }, { createdAt, id: { $lt: id } }] };
}

/** Cuts a page out of `limit + 1` rows. */
export function toPage<Row extends Position, Item>(
  rows: readonly Row[],
  limit: number,
  map: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items: items.map(map), nextCursor: rows.length > limit && last ? encodeCursor(last) : null };
}
