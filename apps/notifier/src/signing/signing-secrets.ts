import { createHash } from 'node:crypto';
import * as deliveryContract from '@rubrica/contracts/services/schemas/delivery-statement';
import { type Keyring, readStatement } from '@rubrica/process/keyring';
import type { Clock } from '@rubrica/process/time';
import { LRUCache } from 'lru-cache';

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

export interface SigningSecrets {
  /** Returns the current time, taken for `keep` before the event is requested. */
  now(): number;
  /**
   * Stores the grant that came with an event, for its first attempt.
   * @throws NotGranted; OtherDestination
   */
  keep(delivery: SignedDelivery, grant: AttemptGrant, askedAt: number): void;
  /**
   * Returns the secrets in the clear, newest first, for one attempt to the destination of the delivery.
   * @throws AppError REQUEST_STATE_NOT_ALLOWED where the event has ended; NotGranted; OtherDestination
   */
  of(delivery: SignedDelivery): Promise<readonly string[]>;
}

export interface SigningSecretsDeps {
  readonly intake: {
    /** Requests the grant of one further attempt. */
    'events.signing'(input: { eventId: string }): Promise<AttemptGrant>;
  };
  readonly keyring: Pick<Keyring, 'verifyStatement' | 'openText'>;
  /** Clock of the statements' validity. */
  readonly clock: Clock;
  readonly deliveryStatements: 'required' | 'accepted';
  /** Monotonic clock of the stored grants. */
  readonly nowMs: () => number;
}

/** Maximum number of events with stored secrets, whose first attempt waits. */
const maxEvents = 2_000;
/** A revoked secret must sign nothing after 5 s. An attempt that waited longer requests a new grant. */
const maxAgeMs = 4_000;

interface StoredGrant {
  readonly sealedSecrets: readonly string[];
  readonly partnerId: string;
  readonly url: string;
  readonly askedAt: number;
}

/**
 * Creates the source of secrets for one attempt. Intake releases them for each attempt while the event is open; none is
 * stored or outlives its attempt. So every signature uses the current secrets, or those of at most 5 s ago.
 */
export function createSigningSecrets(deps: SigningSecretsDeps, max = maxEvents): SigningSecrets {
  const { intake, keyring, nowMs } = deps;
  const firstGrants = new LRUCache<string, StoredGrant>({ max });
  return {
    now: nowMs,
    keep(delivery, grant, askedAt) {
      const sealedSecrets = verifyGrant(grant, delivery, deps);
      const { id, partnerId, url } = delivery;
      if (sealedSecrets.length > 0) firstGrants.set(id, { sealedSecrets, partnerId, url, askedAt });
    },
    async of(delivery) {
      const { id: eventId, partnerId, url } = delivery;
      const grant = firstGrants.get(eventId);
      firstGrants.delete(eventId);
      const isSameAddress = grant?.partnerId === partnerId && grant.url === url;
      const isUsable = grant !== undefined && isSameAddress && nowMs() - grant.askedAt < maxAgeMs;
      const sealed = isUsable
        ? grant.sealedSecrets
        : verifyGrant(await intake['events.signing']({ eventId }), delivery, deps);
      const binding = { purpose: 'webhook-secret', owner: partnerId } as const;
      return Promise.all(sealed.map((secret) => keyring.openText(secret, binding)));
    },
  };
}

const kind = {
  type: deliveryContract.deliveryStatementType,
  issuer: 'intake',
  schema: deliveryContract.deliveryStatementSchema,
  lifeMs: deliveryContract.deliveryStatementLifeMs,
};

/**
 * Verifies a grant; only what the statement covers counts.
 * @returns the sealed secrets
 * @throws NotGranted; OtherDestination
 */
function verifyGrant(
  { sealedSecrets, destinationSha256, statement }: AttemptGrant,
  { id, partnerId, url }: SignedDelivery,
  { keyring, clock, deliveryStatements }: SigningSecretsDeps,
): readonly string[] {
  const destination = sha256(url);
  if (destinationSha256 !== undefined && destinationSha256 !== destination) throw new OtherDestination(id);
  if (statement === undefined) {
    if (deliveryStatements === 'accepted') return sealedSecrets;
    throw new NotGranted(id, 'there is no statement');
  }
  const read = readStatement(statement, kind, { keyring, nowMs: clock().getTime() });
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
