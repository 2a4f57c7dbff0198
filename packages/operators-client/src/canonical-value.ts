// Made from packages/contracts by scripts/generate.ts: change it there.

/** ECMAScript 2026; TypeScript's library does not know it yet, and older browsers do not have it. */
const { isRawJSON } = JSON as { isRawJSON?(value: unknown): boolean };

/** More than anything of ours has; what is deeper has a text of its own, and no MAC. */
const mostLevels = 64;

/**
 * Canonical form (RFC 8785) of a value that `JSON.parse` has made: no white space, members sorted by UTF-16 code units,
 * shortest escapes. A number that `JSON.rawJSON` has made keeps its digits.
 */
export function canonicalValue(value: unknown, level = 0): string {
  if (typeof value !== 'object' || value === null || isRawJSON?.(value)) return JSON.stringify(value);
  // Whoever may write a row can nest its JSON deeper than a call stack is.
  if (level === mostLevels) return '"nested too deeply"';
  if (Array.isArray(value)) return `[${value.map((item) => canonicalValue(item, level + 1)).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = members.map(
    ([name, member]) => `${JSON.stringify(name)}:${canonicalValue(member, level + 1)}`,
  );
  return `{${texts.join(',')}}`;
}
