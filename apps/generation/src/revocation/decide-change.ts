import { createCatalogueText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { RevocationReason } from '@rubrica/contracts/shared/enumerations';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import type { StatusFields } from '../certificate/status-fields.ts';

/** Change of a certificate's status. */
export type StatusChange =
  | { readonly kind: 'revoke'; readonly reason: RevocationReason }
  | { readonly kind: 'hold' }
  | { readonly kind: 'release' };

export type ChangeDecision =
  | { readonly ok: true; readonly standing: Required<StatusFields> }
  | { readonly ok: false; readonly code: ErrorCode; readonly text: ErrorText };

/**
 * Applies the rules of RFC 5280 §5.3.1: a revocation is final, a hold ends in a release or a revocation. An expired
 * certificate cannot change, because CRLs no longer name it.
 */
export function decideChange(current: StatusFields, change: StatusChange, now: Date): ChangeDecision {
  if (current.revokedAt) {
    return refuse('CERTIFICATE_ALREADY_REVOKED', createCatalogueText('CERTIFICATE_ALREADY_REVOKED'));
  }
  if (current.notAfter < now)
    return refuse('REQUEST_STATE_NOT_ALLOWED', createText('request.certificateExpired'));
  const { notAfter, heldAt = null } = current;
  const good = { notAfter, revokedAt: null, revocationReason: null, heldAt: null };
  switch (change.kind) {
    case 'revoke':
      return { ok: true, standing: { notAfter, revokedAt: now, revocationReason: change.reason, heldAt } };
    case 'hold':
      if (heldAt) return refuse('REQUEST_STATE_NOT_ALLOWED', createText('request.alreadyOnHold'));
      return { ok: true, standing: { ...good, heldAt: now } };
    case 'release':
      if (!heldAt) return refuse('REQUEST_STATE_NOT_ALLOWED', createText('request.notOnHold'));
      return { ok: true, standing: good };
  }
}

function refuse(code: ErrorCode, text: ErrorText) {
  return { ok: false, code, text } as const;
}
