const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' });

/**
 * Normalises text for a name: NFC, no control characters, white space collapsed, within its bound.
 *
 * Truncation rule: a value longer than its bound is cut after the last whole word that fits. A single word that does
 * not fit is cut after the last whole letter (grapheme) that fits. Bounds count characters (code points), not bytes.
 * The result states whether it was cut, so that people can be told.
 */
export function boundedText(text: string, maxLength: number): { value: string; truncated: boolean } {
  const clean = tidyText(text);
  const characters = [...clean];
  if (characters.length <= maxLength) return { value: clean, truncated: false };
  const head = characters.slice(0, maxLength + 1);
  const lastSpace = head.lastIndexOf(' ');
  const value = lastSpace > 0 ? head.slice(0, lastSpace).join('') : wholeLetters(clean, maxLength);
  return { value, truncated: true };
}

/** Returns as many whole graphemes as fit; none if the first one is too long. */
function wholeLetters(word: string, maxLength: number): string {
  let value = '';
  let length = 0;
  for (const { segment } of graphemes.segment(word)) {
    length += [...segment].length;
    if (length > maxLength) return value;
    value += segment;
  }
  return value;
}

/** Unassigned, private or replacement characters: prohibited in names (RFC 4518 §2.4). */
export const prohibitedCharacters = /[\p{Cn}\p{Co}\p{Cs}\uFFFD]/u;

/** Finds the first character that is prohibited in names, which `tidyText` would replace by a space. */
export function findProhibitedCharacter(text: string): string | undefined {
  return prohibitedCharacters.exec(text)?.[0];
}

const parted = /[\p{Cc}\p{Z}\s\p{Cn}\p{Co}\p{Cs}\uFFFD]+/gu;

/**
 * Normalises to NFC. Invisible characters, which may change the direction of writing, are dropped (RFC 4518 §2.2);
 * control characters, prohibited characters and white space become one space; ends are trimmed.
 */
export function tidyText(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(parted, ' ')
    .normalize('NFC')
    .trim();
}

/**
 * Tells whether a text consists of signs only, for example a dash typed instead of a value: it names nothing. Invisible
 * letters, such as the Hangul fillers, count as signs.
 */
export function isPlaceholder(text: string): boolean {
  return !/(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u.test(text);
}
