import * as administratorsContract from '@rubrica/contracts/services/schemas/administrators';
import { AppError, readStatement } from '@rubrica/process';
import type { GrantReading } from './read-approval-grant.ts';

interface Question {
  readonly operatorId: string;
  readonly proposedBy: string | undefined;
  readonly nonce: string;
}

/**
 * Reads the status of administrators from the statement that intake has signed in answer to this question. An attacker
 * who can answer on the bus in intake's name does not have its key.
 * @throws AppError SERVICE_UNAVAILABLE for an answer that intake has not signed, so that it is requested again
 */
export function readAdministratorStatus(
  statement: string | undefined,
  { operatorId, proposedBy, nonce }: Question,
  { service, keyring, clock }: GrantReading,
): administratorsContract.AdministratorStatus {
  const kind = {
    type: administratorsContract.administratorsStatementType,
    issuer: 'intake',
    schema: administratorsContract.administratorsStatementSchema,
    lifeMs: administratorsContract.administratorsStatementLifeMs,
  };
  const read = readStatement(statement, kind, { keyring, nowMs: clock().getTime() });
  if (read.kind === 'refused') throw unsignedAnswer(read.error);
  const {
    iss: _iss,
    aud,
    operatorId: about,
    proposedBy: by,
    nonce: answered,
    iat: _iat,
    exp: _exp,
    ...standing
  } = read.claims;
  if (aud !== service || about !== operatorId || by !== (proposedBy ?? null) || answered !== nonce)
    throw unsignedAnswer(new Error('an answer to another question'));
  return standing;
}

function unsignedAnswer(cause: Error): AppError {
  return new AppError({ code: 'SERVICE_UNAVAILABLE', cause, retryAfterSeconds: 2 });
}
