export type Meaning = readonly [en: string, es: string];
