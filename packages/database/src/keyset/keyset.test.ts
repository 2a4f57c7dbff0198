import { describe, expect, it } from 'vitest';
import { createKeyset } from './keyset.ts';

const row = (index: number) => ({
  createdAt: new Date(1_790_000_000_000 + index),
  id: `0199aa00-0000-7000-8000-00000000000${index}`,
});
const byCreation = createKeyset('createdAt');
const byId = createKeyset();

describe('a keyset', () => {
  it('leads from one page to the next by a cursor that reads back as it was written', () => {
    const rows = [row(3), row(2), row(1)];
    const page = byCreation.page(rows, 2, ({ id }) => id);
    expect(page.items).toEqual([row(3).id, row(2).id]);
    expect(byCreation.readCursor(page.nextCursor ?? '')).toEqual(row(2));
    const { nextCursor } = byId.page(rows, 2, ({ id }) => id);
    expect(byId.readCursor(nextCursor ?? '')).toEqual({ id: row(2).id });
  });

  it('goes on from where the look for a page ended, which it says, unless the page is full', () => {
    const reached = { at: '2026-11-20 12:00:00.125+00', id: row(9).id };
    const page = byCreation.page([row(3)], 2, ({ id }) => id, reached);
    expect(page).toMatchObject({ items: [row(3).id], lookedBackTo: '2026-11-20T12:00:00.125Z' });
    const createdAt = new Date('2026-11-20T12:00:00.125Z');
    expect(byCreation.readCursor(page.nextCursor ?? '')).toEqual({ createdAt, id: row(9).id });
    const full = byCreation.page([row(3), row(2), row(1)], 2, ({ id }) => id, reached);
    expect(full).toEqual({ items: [row(3).id, row(2).id], nextCursor: byCreation.writeCursor(row(2)) });
  });

  it('ends with the last page', () => {
    expect(byCreation.page([row(1)], 2, ({ id }) => id).nextCursor).toBeNull();
  });

  it('begins where the cursor says, also among rows of the same moment', () => {
    const { createdAt, id } = row(2);
    expect(byCreation.after(byCreation.writeCursor(row(2)))).toEqual({
      createdAt: { $lte: createdAt },
      $or: [{ createdAt: { $lt: createdAt } }, { id: { $lt: id } }],
    });
    expect(byId.after(byId.writeCursor(row(2)))).toEqual({ id: { $lt: id } });
    expect(byId.after(undefined)).toEqual({});
  });

  it.each(['', 'x', 'bnVsbA', byCreation.writeCursor(row(1)).slice(3), byId.writeCursor(row(1))])(
    'refuses the cursor "%s", which no page gave',
    (cursor) => {
      expect(() => byCreation.readCursor(cursor)).toThrow('FIELD_INVALID');
    },
  );
});
