import { type ErrorText, errorTextSchema } from '@rubrica/contracts/error-texts/error-text';
import { fileTexts } from '@rubrica/contracts/error-texts/files';
import type { Verdict } from '../verdict.ts';

/** Facts that a checker fills in. A text with another one is not a checker's. */
const factChecks: Readonly<Record<string, (fact: unknown) => boolean>> = {
  count: (fact) => typeof fact === 'number' && fact >= 0,
  size: (fact) => typeof fact === 'string' && /^\d{1,10} x \d{1,10}$/.test(fact),
  format: (fact) => fact === 'JPEG' || fact === 'PNG',
  content: (fact) => {
    const text = errorTextSchema.safeParse(fact).data;
    return (text?.id.startsWith('file.content.') ?? false) && isOwnText(text as ErrorText);
  },
};

/**
 * Tells whether a verdict has a text that a checker may give. It goes to partners and reviewers, and a checker that was
 * broken into would write what it likes: all that it may choose is one of these texts, and numbers.
 */
export function hasOwnText(verdict: Verdict): boolean {
  return verdict.kind === 'ok' || isOwnText(verdict.text);
}

function isOwnText({ id, facts = {} }: ErrorText): boolean {
  return (
    Object.hasOwn(fileTexts, id) &&
    Object.entries(facts).every(([name, fact]) => Object.hasOwn(factChecks, name) && factChecks[name]?.(fact))
  );
}
