import { canonicalValue } from './canonical-value.ts';

/**
 * Serialises JSON text in canonical form (RFC 8785). Numbers keep the digits that PostgreSQL's `jsonb` has stored,
 * which may exceed a double: 12345678901234567890 and …891 would be equal.
 * @throws SyntaxError
 */
export function canonicalJson(text: string): string {
  try {
    return canonicalValue(JSON.parse(text, keepDigits));
  } catch (error) {
    // The value is nested deeper than the call stack allows. PostgreSQL stores the same text for the same value.
    if (error instanceof RangeError) return JSON.stringify(text);
    throw error;
  }
}

// ECMAScript 2026, and in Node since 22; TypeScript's library does not declare it yet.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
const keepDigits = ((_key: string, value: unknown, context: { readonly source: string }) =>
  typeof value === 'number' ? rawJSON(context.source) : value) as (key: string, value: unknown) => unknown;
