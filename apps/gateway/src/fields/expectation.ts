import { say } from '@rubrica/contracts/error-texts/say';
import type { z } from 'zod';

const typeWords: Readonly<Record<string, string>> = {
  string: say('must be text'),
  number: say('must be a number'),
  int: say('must be a whole number'),
  boolean: say('must be true or false'),
  array: say('must be a list'),
  object: say('must be an object'),
};

const maxQuoted = 40;

/** What was expected, in the caller's words, ready to follow a field's name. */
export function expectationOf(issue: z.core.$ZodIssue, given: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeWords[issue.expected] ?? say('is not of the right type');
    case 'invalid_value':
      return oneOf(issue.values.join(', '), given);
    default:
      return issue.message.startsWith('must ') ? issue.message : say('is not valid');
  }
}

/** Quotes only what was given for enumerated fields: other values may be personal data. */
function oneOf(values: string, given: unknown): string {
  if (typeof given !== 'string') return say('must be one of {values}', { values });
  const text = given.length > maxQuoted ? `${given.slice(0, maxQuoted)}…` : given;
  return say('must be one of {values}; {given} is not', {
    values,
    given: JSON.stringify(text.toWellFormed()),
  });
}
