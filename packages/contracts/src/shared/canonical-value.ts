/** ECMAScript 2026; TypeScript's library does not know it yet, and older browsers do not have it. */
const { isRawJSON } = JSON as { isRawJSON?(value: unknown): boolean };

/**
 * Canonical form (RFC 8785) of a value that `JSON.parse` has made: no white space, members sorted by UTF-16 code units,
 * shortest escapes. A number that `JSON.rawJSON` has made keeps its digits.
 */
export function canonicalValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalValue).join(',')}]`;
  if (typeof value !== 'object' || value === null || isRawJSON?.(value)) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalValue(member)}`).join(',')}}`;
}
