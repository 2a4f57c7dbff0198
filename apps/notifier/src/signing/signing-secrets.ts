import { LRUCache } from 'lru-cache';
import type { AttemptGrant, SignedDelivery } from './read-delivery-statement.ts';

export interface SigningSecrets {
  /** For `keep`: the moment before the event is asked for. */
  now(): number;
  /**
   * Keeps the grant that came with an event, for its first attempt.
   * @throws NotGranted; OtherDestination
   */
  keep(delivery: SignedDelivery, grant: AttemptGrant, askedAt: number): void;
  /**
   * Returns the secrets in clear, newest first, for one attempt to the destination of the delivery.
   * @throws AppError REQUEST_STATE_NOT_ALLOWED where the event is over; NotGranted; OtherDestination
   */
  of(delivery: SignedDelivery): Promise<readonly string[]>;
}

export interface SigningSecretsDeps {
  /** Asks intake for the grant of one further attempt. */
  fetch(eventId: string): Promise<AttemptGrant>;
  /** Verifies a grant and returns its sealed secrets. @throws NotGranted; OtherDestination */
  granted(grant: AttemptGrant, delivery: SignedDelivery): readonly string[];
  /** Only what was sealed for that partner. */
  open(sealed: string, partnerId: string): Promise<string>;
  readonly nowMs: () => number;
  readonly maxEvents: number;
}

/** A secret that was ended signs nothing after 5 s. An attempt that had to wait longer for its turn asks anew. */
const maxAgeMs = 4_000;

interface Kept {
  readonly sealedSecrets: readonly string[];
  readonly partnerId: string;
  readonly url: string;
  readonly askedAt: number;
}

/**
 * Secrets to sign one attempt with. Intake gives them for each attempt while the event is open; none outlives its
 * attempt here, and none is stored. So what is signed is always by what is in force, or was within 5 s.
 */
export function createSigningSecrets(deps: SigningSecretsDeps): SigningSecrets {
  const { maxEvents: max, nowMs } = deps;
  const first = new LRUCache<string, Kept>({ max });
  return {
    now: nowMs,
    keep(delivery, grant, askedAt) {
      const sealedSecrets = deps.granted(grant, delivery);
      const { id, partnerId, url } = delivery;
      if (sealedSecrets.length > 0) first.set(id, { sealedSecrets, partnerId, url, askedAt });
    },
    async of(delivery) {
      const { id, partnerId, url } = delivery;
      const kept = first.get(id);
      first.delete(id);
      const isFor = kept?.partnerId === partnerId && kept.url === url;
      const isUsable = kept !== undefined && isFor && nowMs() - kept.askedAt < maxAgeMs;
      const sealed = isUsable ? kept.sealedSecrets : deps.granted(await deps.fetch(id), delivery);
      return Promise.all(sealed.map((one) => deps.open(one, partnerId)));
    },
  };
}
