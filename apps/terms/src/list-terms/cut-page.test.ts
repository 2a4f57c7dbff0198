import { describe, expect, it } from 'vitest';
import { cutPage } from './cut-page.ts';

const rowsOf = (...contents: string[]) => contents.map((content) => ({ content }));

describe('a page of terms', () => {
  it('holds all rows when they are within the limit', () => {
    const rows = rowsOf('a', 'b');
    expect(cutPage(rows, { limit: 2, maxBytes: 100 })).toEqual({ items: rows, hasMore: false });
  });

  it('leaves out the row beyond the limit and says that more follow', () => {
    const rows = rowsOf('a', 'b', 'c');
    expect(cutPage(rows, { limit: 2, maxBytes: 100 })).toEqual({ items: rows.slice(0, 2), hasMore: true });
  });

  it('ends where the texts grow too long for one message, however few rows that are', () => {
    const rows = rowsOf('a'.repeat(60), 'b'.repeat(60), 'c');
    expect(cutPage(rows, { limit: 10, maxBytes: 100 })).toEqual({ items: rows.slice(0, 1), hasMore: true });
  });

  it('counts bytes as they are sent: accents and escaped quotes take two', () => {
    expect(cutPage(rowsOf('ñ'.repeat(30), '"'.repeat(30)), { limit: 2, maxBytes: 100 }).items).toHaveLength(
      1,
    );
    expect(cutPage(rowsOf('n'.repeat(30), 'q'.repeat(30)), { limit: 2, maxBytes: 100 }).items).toHaveLength(
      2,
    );
  });

  it('always holds one row, so that no text stops the pages after it', () => {
    const rows = rowsOf('a'.repeat(200), 'b');
    expect(cutPage(rows, { limit: 10, maxBytes: 100 })).toEqual({ items: rows.slice(0, 1), hasMore: true });
  });

  it('is empty and final when there is nothing', () => {
    expect(cutPage([], { limit: 10, maxBytes: 100 })).toEqual({ items: [], hasMore: false });
  });
});
