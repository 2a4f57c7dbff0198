// Made from packages/contracts by scripts/generate.ts: change it there.

/** A number by its digits: as a double, 12345678901234567890 and …891 would be the same. */
class Digits {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * JSON in its canonical form: RFC 8785 (no white space, members sorted by UTF-16 code units, shortest escapes),
 * except that numbers keep the digits that PostgreSQL's `jsonb` has stored, which may be more than a double holds.
 * @throws SyntaxError
 */
export function canonicalJson(text: string): string {
  return canonicalValue(JSON.parse(text, keepDigits));
}

// ECMAScript 2026 has the third argument; Node has it since 22, some browsers do not, and TypeScript's library neither.
// Text that `JSON.stringify` has written gives the same form without it: its numbers are doubles already.
const keepDigits = ((_key: string, value: unknown, context?: { readonly source: string }) =>
  typeof value === 'number' && context !== undefined ? new Digits(context.source) : value) as (
  key: string,
  value: unknown,
) => unknown;

/** Canonical form of a value that `JSON.parse` has made. */
export function canonicalValue(value: unknown): string {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonicalValue).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalValue(member)}`).join(',')}}`;
}
