import { createHash } from 'node:crypto';
import * as deliveryContract from '@rubrica/contracts/services/schemas/delivery-statement';
import { type Clock, type Keyring, readStatement } from '@rubrica/process';

/** One delivery, as stored in its row. */
export interface SignedDelivery {
  readonly id: string;
  readonly partnerId: string;
  readonly url: string;
}

/** Grant of one attempt, as intake sends it over the bus. */
export interface AttemptGrant {
  readonly sealedSecrets: readonly string[];
  /** SHA-256 of the URL that the partner registered, hex; undefined in grants of the previous release. */
  readonly destinationSha256?: string | undefined;
  /** JWS of intake about the grant; undefined in grants of the previous release. */
  readonly statement?: string | undefined;
}

export interface StatementDeps {
  readonly keyring: Pick<Keyring, 'verifyStatement'>;
  readonly clock: Clock;
  readonly deliveryStatements: 'required' | 'accepted';
}

/** Delivery without a signed grant of intake. Nothing is sent; it waits for a signed grant. */
export class NotGranted extends Error {
  constructor(deliveryId: string, reason: string, cause?: Error) {
    super(`delivery ${deliveryId} is not granted by intake: ${reason}`, { cause });
    this.name = 'NotGranted';
  }
}

/** Delivery to another destination than intake granted. */
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
 * Reads the secrets for one attempt; only what the statement covers counts.
 * @returns the sealed secrets
 * @throws NotGranted; OtherDestination
 */
export function readGrantedSecrets(
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
  const { claims } = read;
  if (claims.sub !== id || claims.partnerId !== partnerId)
    throw new NotGranted(id, 'its statement is for another event');
  if (claims.destinationSha256 !== destination) throw new OtherDestination(id);
  if (claims.secretsSha256 !== sha256(deliveryContract.secretsText(sealedSecrets)))
    throw new NotGranted(id, 'its statement is of other secrets');
  return sealedSecrets;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
