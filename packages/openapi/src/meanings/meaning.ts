export type Language = 'en' | 'es';

/** Description of a field in both languages. */
export type Meaning = readonly [en: string, es: string];
