import type { Language, LinkName } from '../types.ts';
import { en } from './en.ts';
import { es, type Texts } from './es.ts';
import { type RenewalTexts, renewalTexts } from './renewal-texts.ts';

export type { Texts } from './es.ts';

export const texts: Readonly<Record<Language, Texts>> = { es, en };

/** Merges the texts of a claim with those of a renewal. */
function mergeRenewalTexts(words: Texts, { own }: RenewalTexts): Texts {
  return {
    ...words,
    back: own.back,
    title: { ...words.title, ...own.title },
    lead: { ...words.lead, ...own.lead },
    facts: { ...words.facts, ...own.facts },
    code: { ...words.code, ...own.code },
    password: { ...words.password, ...own.password },
  };
}

const textsByLink: Readonly<Record<LinkName, Readonly<Record<Language, Texts>>>> = {
  claim: texts,
  renew: { es: mergeRenewalTexts(es, renewalTexts.es), en: mergeRenewalTexts(en, renewalTexts.en) },
};

export function selectTexts({
  link,
  language,
}: {
  readonly link: LinkName;
  readonly language: Language;
}): Texts {
  return textsByLink[link][language];
}
