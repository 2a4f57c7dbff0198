import type { Language } from '../context.ts';

/** Texts for one and for any other number; `#` is replaced by the number. */
export interface PluralTexts {
  readonly one: string;
  readonly other: string;
}

/** Selects the text of the language for a number. */
export function selectPluralText(count: number, words: PluralTexts, language: Language): string {
  const isOne = new Intl.PluralRules(language).select(count) === 'one';
  return (isOne ? words.one : words.other).replace('#', String(count));
}

/** Formats seconds for people, rounded up: `1 segundo`, `42 segundos`, `3 minutos`, `2 horas`. */
export function formatDuration(seconds: number, language: Language): string {
  const whole = Math.max(1, Math.ceil(seconds));
  const [unit, size] = whole < 90 ? ['second', 1] : whole < 5_400 ? ['minute', 60] : ['hour', 3_600];
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.ceil(whole / size));
}
