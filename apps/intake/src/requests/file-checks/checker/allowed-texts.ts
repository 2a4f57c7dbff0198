import { type ErrorText, errorTextSchema } from '@rubrica/contracts/error-texts/error-text';
import { fileTexts } from '@rubrica/contracts/error-texts/files';
import type { Verdict } from '../verdict.ts';

/** Checks of the facts that a checker fills in. A text with another fact is not from a checker. */
const factChecks: Readonly<Record<string, (fact: unknown) => boolean>> = {
  count: (fact) => typeof fact === 'number' && fact >= 0,
  size: (fact) => typeof fact === 'string' && /^\d{1,10} x \d{1,10}$/.test(fact),
  format: (fact) => fact === 'JPEG' || fact === 'PNG',
  content: (fact) => {
    const text = errorTextSchema.safeParse(fact).data;
    return (text?.id.startsWith('file.content.') ?? false) && isAllowedText(text as ErrorText);
  },
};

/**
 * Returns whether a verdict has a text that a checker may give. Partners and reviewers see it, and a checker
 * under an attacker's control would write anything. It may choose nothing but one of these texts, and
 * numbers.
 */
export function hasAllowedText(verdict: Verdict): boolean {
  return verdict.kind === 'ok' || isAllowedText(verdict.text);
}

function isAllowedText({ id, facts = {} }: ErrorText): boolean {
  return (
    Object.hasOwn(fileTexts, id) &&
    Object.entries(facts).every(([name, fact]) => Object.hasOwn(factChecks, name) && factChecks[name]?.(fact))
  );
}
