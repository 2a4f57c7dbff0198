/**
 * Text as it may stand in a name: NFC, no control characters, white space collapsed, within its bound.
 *
 * Truncation rule: a value longer than its bound is cut after the last whole word that fits; a single word that
 * does not fit is cut at the bound. Bounds count characters (code points), not bytes, and no combining mark is
 * parted from its letter. Callers are told, so that the cut can be shown to people.
 */
export function boundedText(text: string, maxLength: number): { value: string; truncated: boolean } {
  const clean = tidyText(text);
  const characters = [...clean];
  if (characters.length <= maxLength) return { value: clean, truncated: false };
  const head = characters.slice(0, maxLength + 1);
  const lastSpace = head.lastIndexOf(' ');
  if (lastSpace > 0) return { value: head.slice(0, lastSpace).join(''), truncated: true };
  let end = maxLength;
  while (end > 1 && /\p{M}/u.test(characters[end] ?? '')) end--;
  return { value: characters.slice(0, end).join(''), truncated: true };
}

/** NFC, lone surrogates and control characters replaced by a space, runs of white space made one, ends trimmed. */
export function tidyText(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}
