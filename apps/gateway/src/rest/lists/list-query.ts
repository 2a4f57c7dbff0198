import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { fieldFault } from '@rubrica/process/errors';
import { parseDateTime } from '@rubrica/process/time';
import { assertFaultless } from '../../fields/assert-faultless.ts';
import { type ParsedValues, parseQuery, type Shape } from '../../fields/parse-fields.ts';

/** Default number of items per page. */
const defaultLimit = 50;

/** Parameters with a time, which are converted to instants. */
const times = ['from', 'to', 'notAfterFrom', 'notAfterTo'] as const;
type Time = (typeof times)[number];

type ListValues<S extends Shape> = Omit<ParsedValues<S>, Time | 'limit'> & {
  readonly limit: number;
} & { readonly [Name in Time & keyof S]?: string };

/**
 * Reads the parameters of a list. An unknown one is a fault, because a misspelt filter would list everything.
 * @throws AppError with all faults
 */
export function readListQuery<S extends Shape>(shape: S, query: unknown, timeZone: string): ListValues<S> {
  const { values, faults } = parseQuery(shape, query);
  const parameters: Record<string, unknown> = { limit: defaultLimit, ...values };
  const names = Object.keys(shape);
  const unknown = Object.keys(query as object)
    .filter((name) => !names.includes(name))
    .map((name) =>
      fieldFault('FIELD_INVALID', name, createText('field.parameterUnknown', { values: names.join(', ') })),
    );
  const timeFaults = times.flatMap((name): ErrorDetail[] => {
    const text = parameters[name];
    if (typeof text !== 'string') return [];
    const instant = readInstant(text, timeZone);
    parameters[name] = instant;
    return instant === undefined ? [createInvalidDate(name, text)] : [];
  });
  assertFaultless([...unknown, ...faults, ...timeFaults]);
  return parameters as ListValues<S>;
}

/**
 * Parses an instant.
 * @returns undefined for an invalid date
 */
export function readInstant(text: string, timeZone: string): string | undefined {
  return parseDateTime(text, timeZone)?.toISOString();
}

export function createInvalidDate(field: string, given: string): ErrorDetail {
  return fieldFault('FIELD_INVALID', field, createText('field.calendarDate', { given }));
}
