/** Deep or crowded JSON costs far more memory than its bytes: `[` is one byte, the array it opens at least 32. */
export const structureLimits = { maxDepth: 32, maxMarks: 100_000, maxStrings: 50_000 } as const;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Looks at a JSON text before it is parsed and tells whether parsing it stays cheap: bounds its depth, its
 * strings and every mark that is not part of a list of integers. It need not be well-formed; what it calls
 * cheap may still be no JSON. Strings are skipped by native search, so base64 costs next to nothing here.
 */
export function isStructureBounded(bytes: Buffer): boolean {
  const { maxDepth, maxMarks, maxStrings } = structureLimits;
  let depth = 0;
  let marks = 0;
  let strings = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (isPartOfIntegers(byte)) continue;
    if (byte === QUOTE) {
      strings += 1;
      if (strings > maxStrings) return false;
      index = endOfString(bytes, index + 1);
      continue;
    }
    marks += 1;
    if (marks > maxMarks) return false;
    if (byte === 0x5b /* [ */ || byte === 0x7b /* { */) depth += 1;
    else if (byte === 0x5d /* ] */ || byte === 0x7d /* } */) depth -= 1;
    if (depth > maxDepth) return false;
  }
  return true;
}

/** Digits, `-`, `,` and white space: what makes up an array of bytes, however long. */
function isPartOfIntegers(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2c || byte === 0x2d || byte <= 0x20;
}

/** Index of the closing quote, or of the end where there is none. */
function endOfString(bytes: Buffer, start: number): number {
  let from = start;
  for (;;) {
    const quote = bytes.indexOf(QUOTE, from);
    if (quote === -1) return bytes.length;
    let backslashes = 0;
    while (bytes[quote - 1 - backslashes] === BACKSLASH && quote - 1 - backslashes >= start) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
    from = quote + 1;
  }
}
