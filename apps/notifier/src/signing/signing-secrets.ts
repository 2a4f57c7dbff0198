import { LRUCache } from 'lru-cache';
import type { AttemptGrant, SignedDelivery } from './read-delivery-statement.ts';

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
  /** Requests the grant of one further attempt from intake. */
  fetch(eventId: string): Promise<AttemptGrant>;
  /**
   * Verifies a grant and returns its sealed secrets.
   * @throws NotGranted; OtherDestination
   */
  granted(grant: AttemptGrant, delivery: SignedDelivery): readonly string[];
  /** Opens a secret that was sealed for that partner. */
  open(sealed: string, partnerId: string): Promise<string>;
  readonly nowMs: () => number;
  readonly maxEvents: number;
}

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
export function createSigningSecrets(deps: SigningSecretsDeps): SigningSecrets {
  const { maxEvents: max, nowMs } = deps;
  const firstGrants = new LRUCache<string, StoredGrant>({ max });
  return {
    now: nowMs,
    keep(delivery, grant, askedAt) {
      const sealedSecrets = deps.granted(grant, delivery);
      const { id, partnerId, url } = delivery;
      if (sealedSecrets.length > 0) firstGrants.set(id, { sealedSecrets, partnerId, url, askedAt });
    },
    async of(delivery) {
      const { id, partnerId, url } = delivery;
      const grant = firstGrants.get(id);
      firstGrants.delete(id);
      const isSameAddress = grant?.partnerId === partnerId && grant.url === url;
      const isUsable = grant !== undefined && isSameAddress && nowMs() - grant.askedAt < maxAgeMs;
      const sealed = isUsable ? grant.sealedSecrets : deps.granted(await deps.fetch(id), delivery);
      return Promise.all(sealed.map((secret) => deps.open(secret, partnerId)));
    },
  };
}
