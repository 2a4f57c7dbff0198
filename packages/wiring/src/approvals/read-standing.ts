import * as administratorsContract from '@rubrica/contracts/services/schemas/administrators';
import { AppError, KeyringError } from '@rubrica/process';
import type { GrantReading } from './read-approval-grant.ts';

/** Between the clocks of two hosts. */
const skewMs = 30_000;

interface Question {
  readonly operatorId: string;
  readonly proposedBy: string | undefined;
  readonly nonce: string;
}

/**
 * Reads how administrators stand, from what intake has signed in answer to this question: whoever may answer on the bus in its
 * name has not its key.
 * @throws AppError SERVICE_UNAVAILABLE for an answer that intake has not signed: it is asked again
 */
export function readStanding(
  statement: string | undefined,
  { operatorId, proposedBy, nonce }: Question,
  { service, keyring, clock }: GrantReading,
): administratorsContract.AdministratorsStanding {
  const read = administratorsContract.administratorsStatementSchema.safeParse(
    verifiedClaims(statement ?? '', keyring),
  );
  if (!read.success) throw notSigned(read.error);
  const {
    iss: _iss,
    aud,
    operatorId: about,
    proposedBy: by,
    nonce: answered,
    iat,
    exp,
    ...standing
  } = read.data;
  if (aud !== service || about !== operatorId || by !== (proposedBy ?? null) || answered !== nonce)
    throw notSigned(new Error('an answer to another question'));
  const nowMs = clock().getTime();
  if (exp * 1_000 + skewMs <= nowMs || iat * 1_000 > nowMs + skewMs)
    throw notSigned(new Error('an answer of another time'));
  return standing;
}

function verifiedClaims(jws: string, keyring: GrantReading['keyring']): unknown {
  const expected = { type: administratorsContract.administratorsStatementType, issuer: 'intake' };
  try {
    return keyring.verifyStatement(jws, expected).claims;
  } catch (error) {
    throw error instanceof KeyringError ? notSigned(error) : error;
  }
}

function notSigned(cause: Error): AppError {
  return new AppError({ code: 'SERVICE_UNAVAILABLE', cause, retryAfterSeconds: 2 });
}
