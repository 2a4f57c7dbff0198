import { readCheckMessage } from '@rubrica/contracts/error-texts/check-message';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { describeType } from '@rubrica/process';
import type { z } from 'zod';

const maxQuoted = 40;

/** Describes the expected value, as a continuation of a field's name. */
export function describeExpectation(issue: z.core.$ZodIssue, given: unknown): ErrorText {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected);
    case 'invalid_value':
      return describeChoices(issue.values.join(', '), given);
    default:
      return readCheckMessage(issue.message) ?? createText('field.invalid');
  }
}

/** Quotes input only for enumerated fields, because other values may be personal data. */
function describeChoices(values: string, given: unknown): ErrorText {
  if (typeof given !== 'string') return createText('field.oneOf', { values });
  const text = given.length > maxQuoted ? `${given.slice(0, maxQuoted)}…` : given;
  return createText('field.oneOfNot', {
    values,
    given: JSON.stringify(text.toWellFormed()),
  });
}
