import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { fieldFault, parseDateTime } from '@rubrica/process';
import { assertFaultless } from '../../fields/assert-faultless.ts';
import type { ParsedValues, Shape } from '../../fields/parse-fields.ts';
import { parseQuery } from '../../fields/parse-query.ts';

/** Items of a page unless the caller says otherwise. */
const usualLimit = 50;

/** Parameters that hold a time: they leave as instants. */
const times = ['from', 'to', 'notAfterFrom', 'notAfterTo'] as const;
type Time = (typeof times)[number];

type ListValues<S extends Shape> = Omit<ParsedValues<S>, Time | 'limit'> & {
  readonly limit: number;
} & { readonly [Name in Time & keyof S]?: string };

/**
 * Reads the parameters of a list. An unknown one is a fault: a filter that is misspelt would list everything.
 * @throws AppError with all faults
 */
export function readListQuery<S extends Shape>(shape: S, query: unknown, timeZone: string): ListValues<S> {
  const { values, faults } = parseQuery(shape, query);
  const given: Record<string, unknown> = { limit: usualLimit, ...values };
  const names = Object.keys(shape);
  const unknown = Object.keys(query as object)
    .filter((name) => !names.includes(name))
    .map((name) =>
      fieldFault('FIELD_INVALID', name, createText('field.parameterUnknown', { values: names.join(', ') })),
    );
  const undated = times.flatMap((name): ErrorDetail[] => {
    const text = given[name];
    if (typeof text !== 'string') return [];
    const instant = readInstant(text, timeZone);
    given[name] = instant;
    return instant === undefined ? [noDate(name, text)] : [];
  });
  assertFaultless([...unknown, ...faults, ...undated]);
  return given as ListValues<S>;
}

/** @returns undefined for what is no moment of the calendar */
export function readInstant(text: string, timeZone: string): string | undefined {
  return parseDateTime(text, timeZone)?.toISOString();
}

export function noDate(field: string, given: string): ErrorDetail {
  return fieldFault('FIELD_INVALID', field, createText('field.calendarDate', { given }));
}
