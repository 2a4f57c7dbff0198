import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';

/** Why a password is soon guessed, in the order in which a person is helped most. */
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

/** What of a match counts here; the library's own type is wider. */
export interface FoundPattern {
  readonly pattern: string;
  readonly token: string;
  readonly dictionaryName?: string;
}

/** Of five grades, 0 to 4: two withstands a hundred million guesses made in the best order. */
const leastScore = 2;

/** Texts for programs, after the name of the field. Pages have texts of their own. */
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

function kindOf({ pattern, dictionaryName = '' }: FoundPattern): Weakness {
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
 * What to tell a person about a password that is too weak: their own data where it holds any, else what its longest part
 * is. Undefined for a password that is good enough; one that could not be graded is not.
 */
export function weaknessOf(graded: {
  readonly score: number;
  readonly guesses: number;
  readonly sequence: readonly FoundPattern[];
}): Weakness | undefined {
  if (graded.score >= leastScore && Number.isFinite(graded.guesses)) return undefined;
  const kinds = graded.sequence
    .toSorted((one, other) => other.token.length - one.token.length)
    .map((found) => kindOf(found));
  return kinds.includes('personal') ? 'personal' : (kinds[0] ?? 'short');
}
