/** Characters that end a name: white space and delimiters (ISO 32000-2, tables 1 and 2). */
const ends = new Set([...'\0\t\n\f\r ()<>[]{}/%'].map((character) => character.charCodeAt(0)));
/** Limit of a name, longer than any name that is searched, all of it escaped. */
const maxCharacters = 64;

/** Finds the end of a name. @param at position of the slash that the name begins with */
export function findNameEnd(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && !ends.has(text.charCodeAt(end))) end += 1;
  return end;
}

/**
 * Finds every name in `text`, with `#xx` decoded, and its position. Nothing is skipped: not strings, not
 * comments.
 */
export function* findNames(text: string): Generator<{ name: string; at: number }> {
  for (let at = text.indexOf('/'); at !== -1; at = text.indexOf('/', at + 1)) {
    let end = at + 1;
    while (end < text.length && end - at <= maxCharacters && !ends.has(text.charCodeAt(end))) end += 1;
    const raw = text.slice(at + 1, end);
    yield { name: raw.includes('#') ? unescapeName(raw) : raw, at };
  }
}

function unescapeName(raw: string): string {
  return raw.replace(/#([0-9A-Fa-f]{2})/g, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
