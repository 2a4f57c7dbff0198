import { answerMeanings } from './answers.ts';
import { authenticationMeanings } from './authentication.ts';
import { listMeanings } from './lists.ts';
import type { Language, Meaning } from './meaning.ts';
import { requestMeanings } from './requests.ts';

export interface NamedField {
  /** Schema that has the field; for a nested field, the name of its parent field. */
  readonly owner: string;
  readonly field: string;
  /** Description in the schema itself, in English. */
  readonly own: string | undefined;
}

/** Meanings by `field`, or by `owner.field` if a field means something else than its namesakes. */
export const fieldMeanings: Readonly<Record<string, Meaning>> = {
  ...requestMeanings,
  ...answerMeanings,
  ...authenticationMeanings,
  ...listMeanings,
};

/**
 * Finds the meaning of a field. In English the schema's own description comes first, because developers change that
 * one.
 */
export function findMeaning({ owner, field, own }: NamedField, language: Language): string | undefined {
  const row = fieldMeanings[`${owner}.${field}`] ?? fieldMeanings[field];
  return language === 'en' ? (own ?? row?.[0]) : (row?.[1] ?? own);
}
