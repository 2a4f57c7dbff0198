import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { ErrorCode, ErrorDetail } from '@rubrica/contracts/shared/errors';
import { fieldFault } from '@rubrica/process';
import type { z } from 'zod';
import { isPlainText, normalizeValue } from './clean.ts';
import { describeExpectation } from './expectation.ts';
import { missingField } from './field-fault.ts';

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
