import type { z } from 'zod';

const typeWords: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
};

const maxQuoted = 40;

/** What was expected, in the caller's words, ready to follow a field's name. */
export function expectationOf(issue: z.core.$ZodIssue, given: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeWords[issue.expected] ?? 'is not of the right type';
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}${quote(given)}`;
    default:
      return issue.message.startsWith('must ') ? issue.message : 'is not valid';
  }
}

/** Only of enumerated fields: other values may be personal data. */
function quote(given: unknown): string {
  if (typeof given !== 'string') return '';
  const text = given.length > maxQuoted ? `${given.slice(0, maxQuoted)}…` : given;
  return `; ${JSON.stringify(text.toWellFormed())} is not`;
}
