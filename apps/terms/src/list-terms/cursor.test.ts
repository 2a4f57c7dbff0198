import { describe, expect, it } from 'vitest';
import { readCursor, writeCursor } from './cursor.ts';

const position = {
  createdAt: new Date('2026-11-20T19:22:40.123Z'),
  id: '0199aa00-0000-7000-8000-000000000001',
};

describe('the cursor of a page of terms', () => {
  it('leads back to the position it was made of', () => {
    expect(readCursor(writeCursor(position))).toEqual(position);
  });

  it('is made of characters that a URL carries as they are', () => {
    expect(writeCursor(position)).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  it.each([
    ['nothing', ''],
    ['no base64', '***'],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['a position without an id', Buffer.from('["2026-11-20T19:22:40.123Z"]').toString('base64url')],
    ['a date that is none', Buffer.from(`["2026-13-40","${position.id}"]`).toString('base64url')],
    ['an object', Buffer.from('{"createdAt":1}').toString('base64url')],
  ])('is not read from %s', (_what, text) => {
    expect(readCursor(text)).toBeUndefined();
  });
});
