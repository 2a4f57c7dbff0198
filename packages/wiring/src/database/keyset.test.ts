import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, toPage } from './keyset.ts';

const row = (index: number) => ({
  createdAt: new Date(1_790_000_000_000 + index),
  id: `0199aa00-0000-7000-8000-00000000000${index}`,
});

describe('a keyset', () => {
  it('leads from one page to the next by a cursor that reads back as it was written', () => {
    const rows = [row(3), row(2), row(1)];
    const page = toPage(rows, 2, ({ id }) => id);
    expect(page.items).toEqual([row(3).id, row(2).id]);
    expect(decodeCursor(page.nextCursor ?? '')).toEqual(row(2));
  });

  it('ends with the last page', () => {
    expect(toPage([row(1)], 2, ({ id }) => id).nextCursor).toBeNull();
  });

  it.each(['', 'x', encodeCursor(row(1)).slice(3)])(
    'refuses the cursor "%s", which no search gave',
    (cursor) => {
      expect(() => decodeCursor(cursor)).toThrow('FIELD_INVALID');
    },
  );
});
