import { type Language, usePreferences } from './preferences.tsx';

// Texts with parameters are functions.
type Text = string | ((...values: never[]) => string);
type SameTexts<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : T[Key] };

/** Texts of a page in both languages; a missing Spanish text does not compile. */
export type Bilingual<T> = Readonly<Record<Language, SameTexts<T>>>;

export function createBilingual<const T extends Readonly<Record<string, Text>>>(texts: {
  readonly en: T;
  readonly es: NoInfer<SameTexts<T>>;
}): Bilingual<T> {
  return texts as Bilingual<T>;
}

/** Returns the texts in the operator's language. */
export function useTexts<T>(texts: Bilingual<T>): SameTexts<T> {
  return texts[usePreferences().language];
}
