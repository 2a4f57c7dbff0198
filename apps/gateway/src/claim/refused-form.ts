import { type ErrorCode, type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import type { Weakness } from '@rubrica/password-screen/weakness';
import type { AppError } from '@rubrica/process';
import type { RefusedFormView } from './types.ts';

/** Positions of faults without a field. Any other code gets an error page. */
const positions: Readonly<Partial<Record<ErrorCode, string>>> = {
  OTP_INVALID: 'code',
  OTP_EXPIRED: 'code',
  OTP_ATTEMPTS_EXCEEDED: 'code',
  TERMS_NOT_ACCEPTED: 'acceptTerms',
  TERMS_OUTDATED: 'acceptTerms',
  REQUEST_STATE_NOT_ALLOWED: 'page',
  RATE_LIMITED: 'send',
  RESEND_LIMIT_EXCEEDED: 'link',
};
/** Actions that use a ticket from a cookie instead of a code. */
export const ticketActions: ReadonlySet<string> = new Set(['password', 'retrieve']);

const fieldCodes: ReadonlySet<ErrorCode> = new Set(['FIELD_REQUIRED', 'FIELD_INVALID']);

/**
 * Builds the content of a refused form; undefined where the fault is not the form's.
 * @param typed input that may be shown again, never a password
 */
export function buildRefusedForm(
  fault: AppError,
  typed: {
    readonly code?: string;
    readonly acceptTerms?: boolean;
    readonly weakness?: Weakness | undefined;
    readonly action: 'send' | 'check' | 'claim' | 'password' | 'download' | 'retrieve' | 'report' | 'renew';
  },
): RefusedFormView | undefined {
  if (!fieldCodes.has(fault.code) && positions[fault.code] === undefined) return undefined;
  const details: readonly Pick<ErrorDetail, 'code' | 'field'>[] =
    fault.details.length > 0 ? fault.details : [{ code: fault.code }];
  const faults = details.map(({ code, field }) => ({
    code,
    field: findPosition(code, field, typed.action),
    weakness: field === 'password' ? typed.weakness : undefined,
  }));
  const isFaulty = (field: string) => faults.some((fault) => fault.field === field);
  return {
    faults,
    // A tried code is used up or wrong. One that was not tried is still valid and is shown again.
    code: isFaulty('code') ? undefined : typed.code,
    acceptTerms: typed.acceptTerms === true,
    retryAfterSeconds: errorCatalogue[fault.code].http === 429 ? fault.retryAfterSeconds : undefined,
  };
}

function findPosition(code: ErrorCode, field: string | undefined, action: string): string {
  if (action === 'renew') return 'link';
  if (action === 'send' && code !== 'REQUEST_STATE_NOT_ALLOWED') return 'send';
  // Concerns the ticket that a code was exchanged for, not an entered code.
  if (code === 'OTP_EXPIRED' && ticketActions.has(action)) return 'page';
  return positions[code] ?? field ?? 'page';
}
