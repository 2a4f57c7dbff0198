import { canonicalValue } from './canonical-value.ts';

/**
 * Canonical form (RFC 8785) of JSON text. Numbers keep the digits that PostgreSQL's `jsonb` has stored, which may be more
 * than a double holds: 12345678901234567890 and …891 would be the same.
 * @throws SyntaxError
 */
export function canonicalJson(text: string): string {
  try {
    return canonicalValue(JSON.parse(text, keepDigits));
  } catch (error) {
    // Nested deeper than a call stack is. PostgreSQL gives the same text for the same value.
    if (error instanceof RangeError) return JSON.stringify(text);
    throw error;
  }
}

// ECMAScript 2026, and in Node since 22; TypeScript's library does not know it yet.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
const keepDigits = ((_key: string, value: unknown, context: { readonly source: string }) =>
  typeof value === 'number' ? rawJSON(context.source) : value) as (key: string, value: unknown) => unknown;
