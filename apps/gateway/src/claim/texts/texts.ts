import type { Language } from '../types.ts';
import { en } from './en.ts';
import { es, type Texts } from './es.ts';

export type { Texts } from './es.ts';

export const texts: Readonly<Record<Language, Texts>> = { es, en };
