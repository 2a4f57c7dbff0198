import {
  type ApprovalGrant,
  approvalGrantLifeMs,
  approvalGrantSchema,
  approvalGrantType,
} from '@rubrica/contracts/services/schemas/approval-grants';
import type { ApprovalService } from '@rubrica/contracts/shared/enumerations';
import { AppError, type Clock, type Keyring, readStatement } from '@rubrica/process';

export interface GrantReading {
  /** Service that reads the grant. */
  readonly service: ApprovalService;
  readonly keyring: Pick<Keyring, 'verifyStatement'>;
  readonly clock: Clock;
}

/**
 * Reads intake's statement that this operator has confirmed this change, regardless of its sender.
 * @throws AppError FORBIDDEN
 */
export function readApprovalGrant(
  jws: string,
  { operatorId, digest }: { readonly operatorId: string; readonly digest: string },
  { service, keyring, clock }: GrantReading,
): ApprovalGrant {
  const kind = {
    type: approvalGrantType,
    issuer: 'intake',
    schema: approvalGrantSchema,
    lifeMs: approvalGrantLifeMs,
  };
  const read = readStatement(jws, kind, { keyring, nowMs: clock().getTime() });
  if (read.kind === 'refused') throw forbidden(read.error);
  const { aud, sub, digest: granted } = read.claims;
  if (aud !== service || sub !== operatorId || granted !== digest)
    throw forbidden(new Error('a grant for another approval'));
  return read.claims;
}

function forbidden(cause: Error): AppError {
  return new AppError({ code: 'FORBIDDEN', cause });
}
