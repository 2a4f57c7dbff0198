import { readCheckMessage } from '@rubrica/contracts/error-texts/check-message';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';

/** Members of a zod issue that are read; each code has others. */
export interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Names of unknown fields. */
  readonly keys?: readonly string[];
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly format?: string;
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
}

const typeTexts: Readonly<Record<string, ErrorText>> = {
  string: createText('field.text'),
  number: createText('field.number'),
  int: createText('field.wholeNumber'),
  boolean: createText('field.boolean'),
  array: createText('field.list'),
  object: createText('field.object'),
  record: createText('field.object'),
};

/** Describes the type that was expected. */
export function describeType(expected: string | undefined): ErrorText {
  return typeTexts[expected ?? ''] ?? createText('field.wrongType');
}

const formatTexts: Readonly<Record<string, ErrorText>> = {
  uuid: createText('field.uuid'),
  email: createText('field.email'),
  url: createText('field.url'),
  datetime: createText('field.instant'),
};

/** Describes an issue of a schema, as a text that continues the field's name. */
export function describeIssue(issue: Issue): ErrorText {
  const own = readCheckMessage(issue.message);
  if (own !== undefined) return own;
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected);
    case 'invalid_value':
      return createText('field.oneOf', { values: (issue.values ?? []).map(String).join(', ') });
    case 'invalid_format':
      return formatTexts[issue.format ?? ''] ?? createText('field.invalid');
    case 'too_small':
      return describeMinimum(issue);
    case 'too_big':
      return describeMaximum(issue);
    default:
      return createText('field.invalid');
  }
}

function describeMinimum({ origin, minimum = 0 }: Issue): ErrorText {
  const count = Number(minimum);
  if (origin === 'string')
    return count === 1 ? createText('field.empty') : createText('field.minCharacters', { count });
  if (origin === 'array')
    return count === 1 ? createText('field.oneItem') : createText('field.minItems', { count });
  return createText('field.minimum', { count });
}

function describeMaximum({ origin, maximum = 0 }: Issue): ErrorText {
  const count = Number(maximum);
  if (origin === 'string') return createText('field.maxCharacters', { count });
  return origin === 'array'
    ? createText('field.maxItems', { count })
    : createText('field.maximum', { count });
}
