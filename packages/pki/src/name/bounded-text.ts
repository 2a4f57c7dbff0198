const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' });

/**
 * Text as it may stand in a name: NFC, no control characters, white space collapsed, within its bound.
 *
 * Truncation rule: a value longer than its bound is cut after the last whole word that fits; a single word that
 * does not fit is cut after the last whole letter (grapheme) that fits. Bounds count characters (code points), not
 * bytes. Callers are told, so that the cut can be shown to people.
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

/** As many whole graphemes as fit; none where the first one alone is too long. */
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

/** Unassigned, private or the replacement character: prohibited in names (RFC 4518 §2.4). */
export const prohibitedCharacters = /[\p{Cn}\p{Co}\p{Cs}\uFFFD]/u;

/** The first character that is prohibited in names, which `tidyText` would make a space of. */
export function findProhibitedCharacter(text: string): string | undefined {
  return prohibitedCharacters.exec(text)?.[0];
}

const parted = /[\p{Cc}\p{Z}\s\p{Cn}\p{Co}\p{Cs}\uFFFD]+/gu;

/**
 * NFC. Characters that show nothing and may turn the direction of writing are dropped (RFC 4518 §2.2); control and
 * prohibited characters and any white space become one space; ends trimmed.
 */
export function tidyText(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(parted, ' ')
    .normalize('NFC')
    .trim();
}

/**
 * Signs alone, such as a dash typed where there was nothing to say: no name of anything. Letters that show nothing, as the
 * Hangul fillers, are signs.
 */
export function isPlaceholder(text: string): boolean {
  return !/(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u.test(text);
}
