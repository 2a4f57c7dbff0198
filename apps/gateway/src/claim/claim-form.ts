import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import * as fields from '@rubrica/contracts/shared/fields';
import { describeIssue, errorDetail } from '@rubrica/process';
import { invalidField, missingField } from '../fields/field-fault.ts';

export interface ClaimForm {
  readonly password: string;
  /** The id that the page carried along; a client that knows only the four fields sends none. */
  readonly termsId: string | undefined;
  readonly acceptTerms: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** A form as it was typed, with all its faults. */
export interface ParsedClaim {
  readonly values: ClaimForm;
  readonly faults: readonly ErrorDetail[];
}

/** A whole claim. */
export function parseClaimForm(form: Fields): ParsedClaim & { readonly code: string } {
  const code = parseCode(form);
  const { values, faults } = parsePasswordForm(form);
  return { code: code.value, values, faults: [...code.faults, ...faults] };
}

/** A claim whose code was checked before. Passwords are not trimmed. */
export function parsePasswordForm(form: Fields): ParsedClaim {
  const password = text(form.password);
  const named = text(form.termsId).trim();
  const termsId = fields.idSchema.safeParse(named);
  return {
    values: {
      password,
      termsId: termsId.success ? termsId.data : undefined,
      acceptTerms: isTicked(form.acceptTerms),
    },
    faults: [
      ...passwordFaults(password, text(form.passwordConfirmation)),
      // Terms that the page did not show cannot have been read.
      ...(named === '' || termsId.success ? [] : [errorDetail('TERMS_OUTDATED', 'acceptTerms')]),
    ],
  };
}

/** Six digits; blanks and hyphens are taken out, because people write codes down with them. */
export function parseCode(form: Fields): { readonly value: string; readonly faults: ErrorDetail[] } {
  const value = text(form.code).replace(/[\s-]/g, '').slice(0, 20);
  if (value === '') return { value, faults: [missingField('code')] };
  if (/^[0-9]{6}$/.test(value)) return { value, faults: [] };
  return { value, faults: [invalidField('code', createText('field.sixDigits'))] };
}

/** Encoding of the file to download; undefined where the form says nothing. */
export function parseEncoding(form: Fields): {
  readonly value: 'modern' | 'legacy' | undefined;
  readonly faults: ErrorDetail[];
} {
  const value = text(form.encoding).trim();
  if (value === 'modern' || value === 'legacy') return { value, faults: [] };
  return {
    value: undefined,
    faults: value === '' ? [] : [invalidField('encoding', createText('field.encoding'))],
  };
}

/** The texts name the field and its rule, never what was typed. */
function passwordFaults(password: string, confirmation: string): ErrorDetail[] {
  if (password === '') return [missingField('password')];
  const [issue] = fields.password.safeParse(password).error?.issues ?? [];
  if (issue) return [invalidField('password', describeIssue(issue))];
  const field = 'passwordConfirmation';
  if (confirmation === '') return [missingField(field)];
  if (confirmation === password) return [];
  return [invalidField(field, createText('field.confirmation'))];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What check boxes and common clients send for yes. */
const yes = new Set(['true', 'on', '1', 'yes', 'y', 'sí', 'si']);

function isTicked(value: unknown): boolean {
  return value === true || (typeof value === 'string' && yes.has(value.trim().toLowerCase()));
}
