import { createHash } from 'node:crypto';
import * as deliveryContract from '@rubrica/contracts/services/schemas/delivery-statement';
import { type Clock, type Keyring, readStatement } from '@rubrica/process';

/** One delivery, as its row has it. */
export interface SignedDelivery {
  readonly id: string;
  readonly partnerId: string;
  readonly url: string;
}

/** Grant of one attempt, as it comes from intake over the bus. */
export interface AttemptGrant {
  readonly sealedSecrets: readonly string[];
  /** SHA-256 of the URL as the partner registered it, hex; undefined: the release before grants none. */
  readonly destinationSha256?: string | undefined;
  /** JWS of intake about the grant; undefined: the release before signs none. */
  readonly statement?: string | undefined;
}

export interface StatementDeps {
  readonly keyring: Pick<Keyring, 'verifyStatement'>;
  readonly clock: Clock;
  readonly deliveryStatements: 'required' | 'accepted';
}

/** Intake has not signed that this delivery may be sent. Nothing is; it waits for a grant that is signed. */
export class NotGranted extends Error {
  constructor(deliveryId: string, reason: string, cause?: Error) {
    super(`delivery ${deliveryId} is not granted by intake: ${reason}`, { cause });
    this.name = 'NotGranted';
  }
}

/** The delivery names another destination than intake has granted. */
export class OtherDestination extends Error {
  constructor(deliveryId: string) {
    super(`delivery ${deliveryId} is addressed to a destination that was not registered`);
    this.name = 'OtherDestination';
  }
}

const kind = {
  type: deliveryContract.deliveryStatementType,
  issuer: 'intake',
  schema: deliveryContract.deliveryStatementSchema,
  lifeMs: deliveryContract.deliveryStatementLifeMs,
};

/**
 * Reads what one attempt may be signed with: nothing of a grant counts that its statement does not say.
 * @returns the sealed secrets
 * @throws NotGranted; OtherDestination
 */
export function grantedSecrets(
  { sealedSecrets, destinationSha256, statement }: AttemptGrant,
  { id, partnerId, url }: SignedDelivery,
  deps: StatementDeps,
): readonly string[] {
  const destination = sha256(url);
  if (destinationSha256 !== undefined && destinationSha256 !== destination) throw new OtherDestination(id);
  if (statement === undefined) {
    if (deps.deliveryStatements === 'accepted') return sealedSecrets;
    throw new NotGranted(id, 'there is no statement');
  }
  const read = readStatement(statement, kind, { keyring: deps.keyring, nowMs: deps.clock().getTime() });
  if (read.kind === 'refused') throw new NotGranted(id, 'its statement is not valid', read.error);
  const { claims: stated } = read;
  if (stated.sub !== id || stated.partnerId !== partnerId)
    throw new NotGranted(id, 'its statement is for another event');
  if (stated.destinationSha256 !== destination) throw new OtherDestination(id);
  if (stated.secretsSha256 !== sha256(deliveryContract.secretsText(sealedSecrets)))
    throw new NotGranted(id, 'its statement is of other secrets');
  return sealedSecrets;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
