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

// The third argument is in ECMAScript 2026 and in Node since 22; TypeScript's library does not know it yet.
const keepDigits = ((_key: string, value: unknown, context: { source: string }) =>
  typeof value === 'number' ? new Digits(context.source) : value) as (key: string, value: unknown) => unknown;

/** The same of a value. */
export function canonicalValue(value: unknown): string {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonicalValue).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalValue(member)}`).join(',')}}`;
}
