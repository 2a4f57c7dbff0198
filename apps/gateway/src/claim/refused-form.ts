import { type ErrorCode, type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import type { Weakness } from '@rubrica/password-screen/weakness';
import type { AppError } from '@rubrica/process';
import type { Refused } from './types.ts';

/** Where a fault without a field is shown. A code that is not here gets an error page. */
const places: Readonly<Partial<Record<ErrorCode, string>>> = {
  OTP_INVALID: 'code',
  OTP_EXPIRED: 'code',
  OTP_ATTEMPTS_EXCEEDED: 'code',
  TERMS_NOT_ACCEPTED: 'acceptTerms',
  TERMS_OUTDATED: 'acceptTerms',
  REQUEST_STATE_NOT_ALLOWED: 'page',
  RATE_LIMITED: 'send',
  RESEND_LIMIT_EXCEEDED: 'link',
};
/** What is sent with a right that the browser keeps in place of a code. */
export const rightActions: ReadonlySet<string> = new Set(['password', 'retrieve']);

const ofFields: ReadonlySet<ErrorCode> = new Set(['FIELD_REQUIRED', 'FIELD_INVALID']);

/**
 * What a refused form brings back to its page; undefined where the fault is none of the form's.
 *
 * @param typed what may be shown again: never a password
 */
export function refusedForm(
  fault: AppError,
  typed: {
    readonly code?: string;
    readonly acceptTerms?: boolean;
    readonly weakness?: Weakness | undefined;
    readonly action: 'send' | 'check' | 'claim' | 'password' | 'download' | 'retrieve' | 'report' | 'renew';
  },
): Refused | undefined {
  if (!ofFields.has(fault.code) && places[fault.code] === undefined) return undefined;
  const details: readonly Pick<ErrorDetail, 'code' | 'field'>[] =
    fault.details.length > 0 ? fault.details : [{ code: fault.code }];
  const faults = details.map(({ code, field }) => ({
    code,
    field: placeOf(code, field, typed.action),
    weakness: field === 'password' ? typed.weakness : undefined,
  }));
  const isWrong = (field: string) => faults.some((one) => one.field === field);
  return {
    faults,
    // A code that was tried is used up or wrong. One that was not tried is still good and is shown again.
    code: isWrong('code') ? undefined : typed.code,
    acceptTerms: typed.acceptTerms === true,
    retryAfterSeconds: errorCatalogue[fault.code].http === 429 ? fault.retryAfterSeconds : undefined,
  };
}

function placeOf(code: ErrorCode, field: string | undefined, action: string): string {
  if (action === 'renew') return 'link';
  if (action === 'send' && code !== 'REQUEST_STATE_NOT_ALLOWED') return 'send';
  // Not a code that was typed: the right that one brought.
  if (code === 'OTP_EXPIRED' && rightActions.has(action)) return 'page';
  return places[code] ?? field ?? 'page';
}
