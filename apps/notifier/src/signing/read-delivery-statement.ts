import { createHash } from 'node:crypto';
import * as deliveryContract from '@rubrica/contracts/services/schemas/delivery-statement';
import { type Clock, type Keyring, KeyringError } from '@rubrica/process';

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
  constructor(deliveryId: string, reason: string) {
    super(`delivery ${deliveryId} is not granted by intake: ${reason}`);
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

/** Between the clocks of two hosts. */
const skewMs = 30_000;

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
  const stated = verifiedClaims(statement, deps.keyring);
  if (stated === undefined) throw new NotGranted(id, 'its statement is not valid');
  if (!isInForce(stated, deps.clock().getTime())) throw new NotGranted(id, 'its statement is not in force');
  if (stated.sub !== id || stated.partnerId !== partnerId)
    throw new NotGranted(id, 'its statement is for another event');
  if (stated.destinationSha256 !== destination) throw new OtherDestination(id);
  if (stated.secretsSha256 !== sha256(deliveryContract.secretsText(sealedSecrets)))
    throw new NotGranted(id, 'its statement is of other secrets');
  return sealedSecrets;
}

function verifiedClaims(
  jws: string,
  keyring: Pick<Keyring, 'verifyStatement'>,
): deliveryContract.DeliveryStatement | undefined {
  try {
    const expected = { type: deliveryContract.deliveryStatementType, issuer: 'intake' };
    return deliveryContract.deliveryStatementSchema.safeParse(keyring.verifyStatement(jws, expected).claims)
      .data;
  } catch (error) {
    if (error instanceof KeyringError) return undefined;
    throw error;
  }
}

function isInForce({ iat, exp }: deliveryContract.DeliveryStatement, nowMs: number): boolean {
  const isPlausible =
    iat * 1_000 <= nowMs + skewMs && (exp - iat) * 1_000 <= deliveryContract.deliveryStatementLifeMs;
  return isPlausible && exp * 1_000 > nowMs;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
