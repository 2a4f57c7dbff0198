import { boundedText, isPlaceholder, tidyText } from './bounded-text.ts';

/** Words that end no name: what they lead to was left out. */
const particles = new Set(['de', 'del', 'la', 'las', 'los', 'y', 'e']);

/**
 * Given names and surnames as one name within its bound, in characters. One that is too long loses given names, whole
 * words from the last on, and never the surname, by which people are found. A surname that does not fit alone stands
 * without given names and is cut as any other text is (`boundedText`), from its end: part of it says more than none, and
 * the whole is in the subject's `surname`.
 */
export function personalName(
  { givenNames, surnames }: { readonly givenNames: string; readonly surnames: string },
  maxLength: number,
): { value: string; truncated: boolean } {
  const surname = tidyText(surnames);
  const given = tidyText(givenNames).split(' ');
  const all = given.length;
  while (given.length > 0) {
    const value = [...given, surname].join(' ').trim();
    if ([...value].length <= maxLength) return { value, truncated: given.length < all };
    do given.pop();
    while (particles.has(given.at(-1)?.toLowerCase() ?? ''));
  }
  return { ...boundedText(surname, maxLength), truncated: true };
}

/** Surnames as one text, as they stand in the subject. One of signs alone is none, here as in the identity fields. */
export function surnamesOf(subscriber: {
  readonly firstSurname: string;
  readonly secondSurname?: string | undefined;
}): string {
  const { firstSurname, secondSurname = '' } = subscriber;
  return tidyText([firstSurname, secondSurname].filter((one) => !isPlaceholder(one)).join(' '));
}
