import { createHash } from 'node:crypto';
import { createLruCache } from '@rubrica/process';

/** One delivery, as its row has it. */
export interface SignedDelivery {
  readonly id: string;
  readonly partnerId: string;
  readonly url: string;
}

/** Grant of one attempt, as intake gives it: what it is signed with, and where it may go. */
export interface AttemptGrant {
  readonly sealedSecrets: readonly string[];
  /** SHA-256 of the URL as the partner registered it, hex; undefined: the release before grants none. */
  readonly destinationSha256?: string | undefined;
}

/** The row of a delivery names another destination than intake has granted. */
export class OtherDestination extends Error {
  constructor(deliveryId: string) {
    super(`delivery ${deliveryId} is addressed to a destination that was not registered`);
    this.name = 'OtherDestination';
  }
}

export interface SigningSecrets {
  /** For `keep`: the moment before the event is asked for. */
  now(): number;
  /** What came with the event that was asked for then, for its first attempt. */
  keep(id: string, grant: AttemptGrant, askedAt: number): void;
  /**
   * Returns the secrets in clear, newest first, for one attempt to the destination of the delivery.
   * @throws AppError REQUEST_STATE_NOT_ALLOWED where the event is over; OtherDestination
   */
  of(delivery: SignedDelivery): Promise<readonly string[]>;
}

export interface SigningSecretsDeps {
  /** Asks intake for the grant of one further attempt. */
  fetch(eventId: string): Promise<AttemptGrant>;
  /** Only what was sealed for that partner. */
  open(sealed: string, partnerId: string): Promise<string>;
  readonly nowMs: () => number;
  readonly maxEvents: number;
}

export function digestDestination(url: string): string {
  return createHash('sha256').update(url).digest('hex');
}

/** A secret that was ended signs nothing after 5 s. An attempt that had to wait longer for its turn asks anew. */
const maxAgeMs = 4_000;

/**
 * Secrets to sign one attempt with. Intake gives them for each attempt while the event is open; none outlives its
 * attempt here, and none is stored. So what is signed is always by what is in force, or was within 5 s.
 */
export function createSigningSecrets(deps: SigningSecretsDeps): SigningSecrets {
  const { maxEvents: max, nowMs } = deps;
  const first = createLruCache<string, { grant: AttemptGrant; askedAt: number }>({ max, nowMs });
  return {
    now: nowMs,
    keep(id, grant, askedAt) {
      if (grant.sealedSecrets.length > 0) first.set(id, { grant, askedAt });
    },
    async of({ id, partnerId, url }) {
      const kept = first.get(id);
      first.delete(id);
      const isFresh = kept !== undefined && nowMs() - kept.askedAt < maxAgeMs;
      const { sealedSecrets, destinationSha256 } = isFresh ? kept.grant : await deps.fetch(id);
      if (destinationSha256 !== undefined && destinationSha256 !== digestDestination(url))
        throw new OtherDestination(id);
      return Promise.all(sealedSecrets.map((one) => deps.open(one, partnerId)));
    },
  };
}
