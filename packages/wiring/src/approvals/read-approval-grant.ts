import type { ApprovalService } from '@rubrica/contracts/operators/approvals';
import {
  type ApprovalGrant,
  approvalGrantLifeMs,
  approvalGrantSchema,
  approvalGrantType,
} from '@rubrica/contracts/services/schemas/approval-grants';
import { AppError, type Clock, type Keyring, KeyringError } from '@rubrica/process';

/** Between the clocks of two hosts. */
const skewMs = 30_000;

export interface GrantReading {
  /** That reads it. */
  readonly service: ApprovalService;
  readonly keyring: Pick<Keyring, 'verifyStatement'>;
  readonly clock: Clock;
}

/**
 * Intake's word that this operator has confirmed this change, whoever has brought it.
 * @throws AppError FORBIDDEN
 */
export function readApprovalGrant(
  jws: string,
  { operatorId, digest }: { readonly operatorId: string; readonly digest: string },
  { service, keyring, clock }: GrantReading,
): ApprovalGrant {
  const read = approvalGrantSchema.safeParse(verifiedClaims(jws, keyring));
  if (!read.success) throw forbidden(read.error);
  const { aud, sub, iat, exp } = read.data;
  if (aud !== service || sub !== operatorId || read.data.digest !== digest)
    throw forbidden(new Error('a grant for another approval'));
  const nowMs = clock().getTime();
  const isOfNow = exp * 1_000 > nowMs && iat * 1_000 <= nowMs + skewMs;
  if (!isOfNow || (exp - iat) * 1_000 > approvalGrantLifeMs)
    throw forbidden(new Error('a grant of another time'));
  return read.data;
}

function verifiedClaims(jws: string, keyring: GrantReading['keyring']): unknown {
  try {
    return keyring.verifyStatement(jws, { type: approvalGrantType, issuer: 'intake' }).claims;
  } catch (error) {
    throw error instanceof KeyringError ? forbidden(error) : error;
  }
}

function forbidden(cause: Error): AppError {
  return new AppError({ code: 'FORBIDDEN', cause });
}
