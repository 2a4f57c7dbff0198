import type { Language } from '../context.ts';

/** Texts of the frame of every page. */
const es = {
  brand: 'Rubrica',
  skip: 'Saltar al contenido',
  languageSwitch: 'Idioma',
};

const en: typeof es = {
  brand: 'Rubrica',
  skip: 'Skip to content',
  languageSwitch: 'Language',
};

export const frameTexts: Readonly<Record<Language, typeof es>> = { es, en };
