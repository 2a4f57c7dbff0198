import { type Language, usePreferences } from './preferences.tsx';

// Texts with something in them are functions of it.
type Text = string | ((...values: never[]) => string);
type SameTexts<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : T[Key] };

/** The texts of a page in both languages: one that is missing in Spanish does not compile. */
export type Bilingual<T> = Readonly<Record<Language, SameTexts<T>>>;

export function bilingual<const T extends Readonly<Record<string, Text>>>(texts: {
  readonly en: T;
  readonly es: NoInfer<SameTexts<T>>;
}): Bilingual<T> {
  return texts as Bilingual<T>;
}

/** Those of the language that the operator reads. */
export function useTexts<T>(texts: Bilingual<T>): SameTexts<T> {
  return texts[usePreferences().language];
}
