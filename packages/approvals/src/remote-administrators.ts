import * as administratorsContract from '@rubrica/contracts/services/schemas/administrators';
import {
  type ApprovalGrant,
  approvalGrantLifeMs,
  approvalGrantSchema,
  approvalGrantType,
} from '@rubrica/contracts/services/schemas/approval-grants';
import type { ApprovalService } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import { type Keyring, readStatement } from '@rubrica/process/keyring';
import { type Clock, uuidv7 } from '@rubrica/process/time';
import type { Peers } from '@rubrica/wiring';
import type { Administrators } from './administrators.ts';

type Intake = Pick<
  Peers<'terms'>['intake'],
  'administrators.standing' | 'administrators.passkeyOptions' | 'administrators.confirmApproval'
>;

interface StatementReader {
  /** Service that reads the statement. */
  readonly service: ApprovalService;
  readonly keyring: Pick<Keyring, 'verifyStatement'>;
  readonly clock: Clock;
}

export interface RemoteAdministratorsDeps extends StatementReader {
  readonly peers: { readonly intake: Intake };
}

/**
 * Age up to which a status is used. A right that has ended must be gone everywhere within 5 s: after a longer wait for
 * a lock the status is requested again.
 */
const freshForMs = 3_000;

/**
 * Creates the access for services without operators. Intake answers their present status, whatever their tokens say,
 * and signs it: an attacker who can answer on the bus in intake's name does not have its key.
 */
export function createRemoteAdministrators({
  peers: { intake },
  ...reader
}: RemoteAdministratorsDeps): Administrators {
  return {
    passkeyOptions: (approval) => intake['administrators.passkeyOptions'](approval),
    async confirm(approval) {
      const { grant } = await intake['administrators.confirmApproval'](approval);
      return readGrant(grant, approval, reader);
    },
    async requestStatus({ operator: { operatorId }, proposedBy }) {
      const requestedAtMs = performance.now();
      const question = { operatorId, proposedBy, nonce: uuidv7() };
      const answer = await intake['administrators.standing'](question);
      return { status: readStatus(answer.statement, question, reader), requestedAtMs };
    },
    async readStatus(_, __, remote) {
      if (remote !== undefined && performance.now() - remote.requestedAtMs <= freshForMs)
        return remote.status;
      throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 });
    },
  };
}

interface Question {
  readonly operatorId: string;
  readonly proposedBy: string | undefined;
  readonly nonce: string;
}

/**
 * Reads the status of administrators from the statement that intake has signed in answer to this question.
 * @throws AppError SERVICE_UNAVAILABLE for an answer that intake has not signed, so that it is requested again
 */
function readStatus(
  statement: string | undefined,
  { operatorId, proposedBy, nonce }: Question,
  { service, keyring, clock }: StatementReader,
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
    ...status
  } = read.claims;
  if (aud !== service || about !== operatorId || by !== (proposedBy ?? null) || answered !== nonce)
    throw unsignedAnswer(new Error('an answer to another question'));
  return status;
}

function unsignedAnswer(cause: Error): AppError {
  return new AppError({ code: 'SERVICE_UNAVAILABLE', cause, retryAfterSeconds: 2 });
}

/**
 * Reads intake's statement that this operator has confirmed this change, regardless of its sender.
 * @throws AppError FORBIDDEN
 */
function readGrant(
  jws: string,
  { operatorId, digest }: { readonly operatorId: string; readonly digest: string },
  { service, keyring, clock }: StatementReader,
): ApprovalGrant {
  const kind = {
    type: approvalGrantType,
    issuer: 'intake',
    schema: approvalGrantSchema,
    lifeMs: approvalGrantLifeMs,
  };
  const read = readStatement(jws, kind, { keyring, nowMs: clock().getTime() });
  if (read.kind === 'refused') throw wrongGrant(read.error);
  const { aud, sub, digest: granted } = read.claims;
  if (aud !== service || sub !== operatorId || granted !== digest)
    throw wrongGrant(new Error('a grant for another approval'));
  return read.claims;
}

function wrongGrant(cause: Error): AppError {
  return new AppError({ code: 'FORBIDDEN', cause });
}
