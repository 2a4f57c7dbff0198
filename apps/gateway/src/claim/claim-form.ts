import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import * as fields from '@rubrica/contracts/shared/fields';
import { errorDetail } from '@rubrica/process/errors';
import { describeIssue } from '@rubrica/process/trpc';
import { invalidField, missingField } from '../fields/parse-fields.ts';

export interface ClaimForm {
  readonly password: string;
  /** Id of the terms from the page; undefined for a client that sends only the four fields. */
  readonly termsId: string | undefined;
  readonly acceptTerms: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Form as entered, with all its faults. */
export interface ParsedClaim {
  readonly values: ClaimForm;
  readonly faults: readonly ErrorDetail[];
}

/** Parses a complete claim. */
export function parseClaimForm(form: Fields): ParsedClaim & { readonly code: string } {
  const code = parseCode(form);
  const { values, faults } = parsePasswordForm(form);
  return { code: code.value, values, faults: [...code.faults, ...faults] };
}

/** Parses a claim whose code was checked before. Passwords are not trimmed. */
export function parsePasswordForm(form: Fields): ParsedClaim {
  const password = readText(form.password);
  const termsText = readText(form.termsId).trim();
  const termsId = fields.idSchema.safeParse(termsText);
  return {
    values: {
      password,
      termsId: termsId.success ? termsId.data : undefined,
      acceptTerms: isTicked(form.acceptTerms),
    },
    faults: [
      ...passwordFaults(password, readText(form.passwordConfirmation)),
      // Terms that the page did not show cannot have been read.
      ...(termsText === '' || termsId.success ? [] : [errorDetail('TERMS_OUTDATED', 'acceptTerms')]),
    ],
  };
}

/** Parses a code of six digits; blanks and hyphens, with which people write codes, are removed. */
export function parseCode(form: Fields): { readonly value: string; readonly faults: ErrorDetail[] } {
  const value = readText(form.code).replace(/[\s-]/g, '').slice(0, 20);
  if (value === '') return { value, faults: [missingField('code')] };
  if (/^[0-9]{6}$/.test(value)) return { value, faults: [] };
  return { value, faults: [invalidField('code', createText('field.sixDigits'))] };
}

/** Parses the encoding of the file to download; undefined where the form has none. */
export function parseEncoding(form: Fields): {
  readonly value: 'modern' | 'legacy' | undefined;
  readonly faults: ErrorDetail[];
} {
  const value = readText(form.encoding).trim();
  if (value === 'modern' || value === 'legacy') return { value, faults: [] };
  return {
    value: undefined,
    faults: value === '' ? [] : [invalidField('encoding', createText('field.encoding'))],
  };
}

/** Checks a password. The texts name the field and its rule, never the input. */
function passwordFaults(password: string, confirmation: string): ErrorDetail[] {
  if (password === '') return [missingField('password')];
  const [issue] = fields.password.safeParse(password).error?.issues ?? [];
  if (issue) return [invalidField('password', describeIssue(issue))];
  const field = 'passwordConfirmation';
  if (confirmation === '') return [missingField(field)];
  if (confirmation === password) return [];
  return [invalidField(field, createText('field.confirmation'))];
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Values for yes from check boxes and common clients. */
const yesValues = new Set(['true', 'on', '1', 'yes', 'y', 'sí', 'si']);

function isTicked(value: unknown): boolean {
  return value === true || (typeof value === 'string' && yesValues.has(value.trim().toLowerCase()));
}
