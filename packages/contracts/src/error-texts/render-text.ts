import { type ErrorText, errorTextSchema, type TextLanguage } from './error-text.ts';
import { findTemplate } from './templates.ts';

/** Separators of the forms of a list. */
const separators: Readonly<Record<string, Readonly<Record<TextLanguage, string>>>> = {
  or: { en: ' or ', es: ' o ' },
  clauses: { en: '; ', es: '; ' },
  sentences: { en: '. ', es: '. ' },
};

/**
 * Renders a text in the language of its reader.
 * @returns undefined for a template or fact that this release does not know
 */
export function renderText({ id, facts = {} }: ErrorText, language: TextLanguage): string | undefined {
  const template = findTemplate(id)?.[language];
  if (template === undefined) return undefined;
  let isKnown = true;
  const rendered = template.replaceAll(/\{(\w+)(?::(\w+))?\}/g, (_all, name: string, form?: string) => {
    const fact = renderFact(facts[name], { form, language });
    isKnown &&= fact !== undefined;
    return fact ?? '';
  });
  return isKnown ? rendered : undefined;
}

/** Renders in English. The text was created in this process, so its template is known. */
export function renderEnglish(text: ErrorText): string {
  return renderText(text, 'en') ?? text.id;
}

interface FactOptions {
  readonly form?: string | undefined;
  readonly language: TextLanguage;
}

function renderFact(fact: unknown, { form, language }: FactOptions): string | undefined {
  if (typeof fact === 'string' || typeof fact === 'number') return String(fact);
  if (Array.isArray(fact)) {
    const items = fact.map((item) => renderFact(item, { language }));
    return items.includes(undefined) ? undefined : items.join(separators[form ?? '']?.[language] ?? ', ');
  }
  const text = errorTextSchema.safeParse(fact).data;
  return text === undefined ? undefined : renderText(text, language);
}
