import { answerMeanings } from './answers.ts';
import { authenticationMeanings } from './authentication.ts';
import { listMeanings } from './lists.ts';
import type { Language, Meaning } from './meaning.ts';
import { requestMeanings } from './requests.ts';

export interface NamedField {
  /** The schema that has the field; of a field within a field, that field's name. */
  readonly owner: string;
  readonly field: string;
  /** What the schema itself says, in English. */
  readonly own: string | undefined;
}

/** By `owner.field` where it means something else than the field of this name elsewhere, otherwise by `field`. */
export const fieldMeanings: Readonly<Record<string, Meaning>> = {
  ...requestMeanings,
  ...answerMeanings,
  ...authenticationMeanings,
  ...listMeanings,
};

/** What a field means. In English the schema's own words come first: they are the ones that a developer changes. */
export function findMeaning({ owner, field, own }: NamedField, language: Language): string | undefined {
  const row = fieldMeanings[`${owner}.${field}`] ?? fieldMeanings[field];
  return language === 'en' ? (own ?? row?.[0]) : (row?.[1] ?? own);
}
