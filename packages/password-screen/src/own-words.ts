/** Minimum length; a shorter word is part of too many others. */
const minLetters = 3;

function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}

/**
 * Lists the guesses of an attacker who knows the applicant. They include each text whole, without spaces, word by word,
 * and all of it without accents too; numbers also in national and international form. In lower case; longest first,
 * which counts as guessed first.
 */
export function listOwnTerms(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => {
    const lower = text.trim().toLowerCase();
    const parts = lower.split(/[^\p{L}\p{M}\p{N}]+/u);
    const digits = lower.replace(/[^0-9]/g, '');
    const national = /^\+?593\d{8,9}$/.test(lower) ? [digits.slice(3), `0${digits.slice(3)}`] : [];
    return [lower, parts.join(''), ...parts, ...national];
  });
  const all = words.flatMap((word) => [word, withoutAccents(word)]);
  return [...new Set(all)]
    .filter((word) => [...word].length >= minLetters)
    .toSorted((one, other) => other.length - one.length);
}
