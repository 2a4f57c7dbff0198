/** A shorter word is part of too many others. */
const leastLetters = 3;

function bare(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}

/**
 * What a guesser who knows the applicant would try: each text whole, without its spaces, its words, and all of it without
 * accents too; of a number, as it is said in the country and abroad. In lower case; longest first, which counts as
 * tried first.
 */
export function ownWords(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => {
    const lower = text.trim().toLowerCase();
    const parts = lower.split(/[^\p{L}\p{M}\p{N}]+/u);
    const digits = lower.replace(/[^0-9]/g, '');
    const national = /^\+?593\d{8,9}$/.test(lower) ? [digits.slice(3), `0${digits.slice(3)}`] : [];
    return [lower, parts.join(''), ...parts, ...national];
  });
  const all = words.flatMap((word) => [word, bare(word)]);
  return [...new Set(all)]
    .filter((word) => [...word].length >= leastLetters)
    .toSorted((one, other) => other.length - one.length);
}
