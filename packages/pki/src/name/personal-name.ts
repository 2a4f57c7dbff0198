import { boundedText, isPlaceholder, tidyText } from './bounded-text.ts';

/** Words that cannot end a name: the words that they introduce were cut off. */
const particles = new Set(['de', 'del', 'la', 'las', 'los', 'y', 'e']);

/**
 * Joins given names and surnames within a bound, in characters. A name that is too long loses given names, whole words
 * from the end, and never the surname, by which people are found. A surname that does not fit alone is used without
 * given names and cut from its end like any other text (`boundedText`). A part is better than none, and the whole is in
 * the subject's `surname`.
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

/**
 * Joins the surnames in the form of the subject. A surname of signs only is omitted, here as in the identity fields.
 */
export function joinSurnames(subscriber: {
  readonly firstSurname: string;
  readonly secondSurname?: string | undefined;
}): string {
  const { firstSurname, secondSurname = '' } = subscriber;
  return tidyText([firstSurname, secondSurname].filter((surname) => !isPlaceholder(surname)).join(' '));
}
