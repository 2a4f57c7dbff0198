import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';

/** Reason why a password is easily guessed, the most helpful one first. */
export type Weakness =
  | 'personal'
  | 'common'
  | 'name'
  | 'word'
  | 'date'
  | 'keyboard'
  | 'repeat'
  | 'sequence'
  | 'short';

/** Part of a match that counts here; the library's own type is wider. */
export interface FoundPattern {
  readonly pattern: string;
  readonly token: string;
  readonly dictionaryName?: string;
}

/** Minimum of the five grades, 0 to 4: grade two withstands a hundred million guesses in the best order. */
const minScore = 2;

/** Texts for programs, after the name of the field. Pages have their own texts. */
export const weaknessTexts: Readonly<Record<Weakness, ErrorText>> = {
  personal: createText('field.guessableOwnData'),
  common: createText('field.guessableCommon'),
  name: createText('field.guessableName'),
  word: createText('field.guessableWord'),
  date: createText('field.guessableDate'),
  keyboard: createText('field.guessableKeys'),
  repeat: createText('field.guessableRepeats'),
  sequence: createText('field.guessableSeries'),
  short: createText('field.guessableShort'),
};

function toWeakness({ pattern, dictionaryName = '' }: FoundPattern): Weakness {
  if (dictionaryName === 'userInputs') return 'personal';
  if (dictionaryName.startsWith('passwords')) return 'common';
  if (/^(first|last)names/.test(dictionaryName)) return 'name';
  switch (pattern) {
    case 'dictionary':
      return 'word';
    case 'date':
    case 'regex':
      return 'date';
    case 'spatial':
      return 'keyboard';
    case 'repeat':
      return 'repeat';
    case 'sequence':
    case 'wordSequence':
      return 'sequence';
    default:
      return 'short';
  }
}

/**
 * Finds the advice about a weak password: the person's own data if it contains any, else the kind of its longest part.
 * Undefined for a password that is strong enough; a password that could not be graded is not.
 */
export function screenWeakness(graded: {
  readonly score: number;
  readonly guesses: number;
  readonly sequence: readonly FoundPattern[];
}): Weakness | undefined {
  if (graded.score >= minScore && Number.isFinite(graded.guesses)) return undefined;
  const kinds = graded.sequence
    .toSorted((one, other) => other.token.length - one.token.length)
    .map((found) => toWeakness(found));
  return kinds.includes('personal') ? 'personal' : (kinds[0] ?? 'short');
}
