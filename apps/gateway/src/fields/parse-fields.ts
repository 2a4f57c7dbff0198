import { readCheckMessage } from '@rubrica/contracts/error-texts/check-message';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { ErrorCode, ErrorDetail } from '@rubrica/contracts/shared/errors';
import { isStreamSafe } from '@rubrica/contracts/shared/stream-safe';
import { fieldFault } from '@rubrica/process/errors';
import { describeType } from '@rubrica/process/trpc';
import type { z } from 'zod';

export type Shape = Readonly<Record<string, z.ZodType>>;

/** Shape of fields with text values after parsing. */
export type TextShape = Readonly<Record<string, z.ZodType<string | undefined>>>;

export type ParsedValues<S extends Shape> = { [Name in keyof S]?: z.output<S[Name]> };

export interface ParsedFields<S extends Shape> {
  /** Values of the fields without a fault. */
  readonly values: ParsedValues<S>;
  /** Every fault, in the order of the shape. */
  readonly faults: ErrorDetail[];
}

export interface ParseOptions {
  /** Prefix of field names in faults: `evidences[0].`. */
  readonly prefix?: string;
  /** Code for a missing field; FIELD_REQUIRED by default. */
  readonly missing?: ErrorCode;
  /** Codes of fields with a specific code. */
  readonly codes?: Readonly<Record<string, ErrorCode>>;
}

const ownCodes: Readonly<Record<string, ErrorCode>> = {
  period: 'INVALID_PERIOD',
  applicationType: 'INVALID_APPLICATION_TYPE',
  documentType: 'INVALID_DOCUMENT_TYPE',
  certificateType: 'INVALID_CERTIFICATE_TYPE',
};

/** Parses each field separately, so that all faults are found and a faulty field does not hide the values of others. */
export function parseFields<S extends Shape>(
  shape: S,
  source: Readonly<Record<string, unknown>>,
  options: ParseOptions = {},
): ParsedFields<S> {
  const values: Record<string, unknown> = {};
  const faults: ErrorDetail[] = [];
  for (const name in shape) {
    const field = `${options.prefix ?? ''}${name}`;
    const value = normalizeValue(name, Object.hasOwn(source, name) ? source[name] : undefined);
    if (typeof value === 'string' && !isPlainText(value)) {
      faults.push(createFault(name, field, createText('field.controlCharacters'), options));
      continue;
    }
    const result = (shape[name] as z.ZodType).safeParse(value);
    if (result.success) {
      if (result.data !== undefined) values[name] = result.data;
    } else if (value === undefined) {
      faults.push(missingField(field, options.missing));
    } else {
      const [issue] = result.error.issues;
      faults.push(
        createFault(
          name,
          field,
          issue ? describeExpectation(issue, value) : createText('field.invalid'),
          options,
        ),
      );
    }
  }
  return { values: values as ParsedValues<S>, faults };
}

/** Parses fields that another service accepts as text by name, and returns those that are present. */
export function parseTextFields(
  shape: TextShape,
  source: Readonly<Record<string, unknown>>,
): { readonly fields: Record<string, string>; readonly faults: ErrorDetail[] } {
  const { values, faults } = parseFields(shape, source);
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) if (value !== undefined) fields[name] = value;
  return { fields, faults };
}

function createFault(
  name: string,
  field: string,
  expectation: ErrorText,
  options: ParseOptions,
): ErrorDetail {
  return fieldFault(options.codes?.[name] ?? ownCodes[name] ?? 'FIELD_INVALID', field, expectation);
}

/** Parses a query string like a body. A repeated parameter is a fault, because neither value can be preferred. */
export function parseQuery<S extends Shape>(
  shape: S,
  query: unknown,
  options: ParseOptions = {},
): ParsedFields<S> {
  const source = { ...(query as Record<string, unknown>) };
  const repeated = Object.keys(shape).filter((name) => Array.isArray(source[name]));
  const singleShape = Object.fromEntries(
    Object.entries(shape).filter(([name]) => !repeated.includes(name)),
  ) as unknown as S;
  const { values, faults } = parseFields(singleShape, source, options);
  const repeatedFaults = repeated.map((name) =>
    fieldFault(options.codes?.[name] ?? 'FIELD_INVALID', name, createText('field.repeated')),
  );
  return { values, faults: [...repeatedFaults, ...faults] };
}

export function invalidField(field: string, fault: ErrorText): ErrorDetail {
  return fieldFault('FIELD_INVALID', field, fault);
}

export function missingField(field: string, code: ErrorCode = 'FIELD_REQUIRED'): ErrorDetail {
  return fieldFault(code, field, createText('field.required'));
}

const maxQuoted = 40;

/** Describes the expected value, as a continuation of a field's name. */
function describeExpectation(issue: z.core.$ZodIssue, given: unknown): ErrorText {
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Fields that are not trimmed: a blank at the end is part of a password. */
const verbatimFields: ReadonlySet<string> = new Set(['password', 'client_secret']);

/**
 * Normalises a value for the rules: NFC, trimmed; empty text and null count as absent. Text that is not stream-safe is
 * not normalised; `isPlainText` refuses it.
 */
export function normalizeValue(name: string, value: unknown): unknown {
  if (value === null || value === '') return undefined;
  if (typeof value !== 'string' || verbatimFields.has(name)) return value;
  const text = (isStreamSafe(value) ? value.normalize('NFC') : value).trim();
  return text === '' ? undefined : text;
}

/**
 * Returns whether a text is plain: without control characters, unpaired surrogates or long runs of combining marks,
 * which no field may contain.
 */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !CONTROL_CHARACTERS.test(text) && isStreamSafe(text);
}
