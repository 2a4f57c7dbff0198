// Generated from packages/contracts by scripts/generate.ts. Do not edit.

/** ECMAScript 2026; TypeScript's library does not declare it yet, and older browsers do not have it. */
const { isRawJSON } = JSON as { isRawJSON?(value: unknown): boolean };

/** Exceeds the depth of all our values. A deeper value gets a constant text, and no MAC. */
const maxLevels = 64;

/**
 * Serialises a value from `JSON.parse` in canonical form (RFC 8785): no white space, members sorted by UTF-16 code
 * units, shortest escapes. A number from `JSON.rawJSON` keeps its digits.
 */
export function canonicalValue(value: unknown, level = 0): string {
  if (typeof value !== 'object' || value === null || isRawJSON?.(value)) return JSON.stringify(value);
  // A writer of a row can nest its JSON deeper than the call stack allows.
  if (level === maxLevels) return '"nested too deeply"';
  if (Array.isArray(value)) return `[${value.map((item) => canonicalValue(item, level + 1)).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = members.map(
    ([name, member]) => `${JSON.stringify(name)}:${canonicalValue(member, level + 1)}`,
  );
  return `{${texts.join(',')}}`;
}
