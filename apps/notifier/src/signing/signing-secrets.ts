import { createLruCache } from '@rubrica/process';

/** What is to be signed for whom. */
export interface SignedDelivery {
  readonly id: string;
  readonly partnerId: string;
}

export interface SigningSecrets {
  /** For `keep`: the moment before the event is asked for. */
  now(): number;
  /** What came with the event that was asked for then, for its first attempt. */
  keep(id: string, sealedSecrets: readonly string[], askedAt: number): void;
  /** In the clear, newest first, for one attempt. @throws AppError REQUEST_STATE_NOT_ALLOWED where the event is over */
  of(delivery: SignedDelivery): Promise<readonly string[]>;
}

export interface SigningSecretsDeps {
  /** Asks intake for the sealed secrets of one further attempt. */
  fetch(eventId: string): Promise<readonly string[]>;
  /** Only what was sealed for that partner. */
  open(sealed: string, partnerId: string): Promise<string>;
  readonly nowMs: () => number;
  readonly maxEvents: number;
}

/** A secret that was ended signs nothing after 5 s. An attempt that had to wait longer for its turn asks anew. */
const maxAgeMs = 4_000;

/**
 * Secrets to sign one attempt with. Intake gives them for each attempt while the event is open; none outlives its
 * attempt here, and none is stored. So what is signed is always by what is in force, or was within 5 s.
 */
export function createSigningSecrets(deps: SigningSecretsDeps): SigningSecrets {
  const { maxEvents: max, nowMs } = deps;
  const first = createLruCache<string, { sealed: readonly string[]; askedAt: number }>({ max, nowMs });
  return {
    now: nowMs,
    keep(id, sealed, askedAt) {
      if (sealed.length > 0) first.set(id, { sealed, askedAt });
    },
    async of({ id, partnerId }) {
      const kept = first.get(id);
      first.delete(id);
      const isFresh = kept !== undefined && nowMs() - kept.askedAt < maxAgeMs;
      const sealed = isFresh ? kept.sealed : await deps.fetch(id);
      return Promise.all(sealed.map((one) => deps.open(one, partnerId)));
    },
  };
}
