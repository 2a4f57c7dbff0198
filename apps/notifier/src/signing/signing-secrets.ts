import { createLruCache } from '@rubrica/process';

/** What is to be signed for whom. */
export interface SignedDelivery {
  readonly id: string;
  readonly partnerId: string;
}

export interface SigningSecrets {
  /** What came with the event, for its first attempt. */
  keep(id: string, sealedSecrets: readonly string[]): void;
  /** In the clear, newest first, for one attempt. @throws AppError REQUEST_STATE_NOT_ALLOWED where the event is over */
  of(delivery: SignedDelivery): Promise<readonly string[]>;
}

export interface SigningSecretsDeps {
  /** Asks intake for the sealed secrets of one further attempt. */
  fetch(eventId: string): Promise<readonly string[]>;
  /** Only what was sealed for that partner. */
  open(sealed: string, partnerId: string): Promise<string>;
  readonly nowMs: () => number;
  readonly maxAgeMs: number;
  readonly maxEvents: number;
}

/**
 * Secrets to sign one attempt with. Intake gives them for each attempt while the event is open; none outlives its
 * attempt here, and none is stored. So what is signed is always by what is in force.
 */
export function createSigningSecrets(deps: SigningSecretsDeps): SigningSecrets {
  const { maxEvents: max, maxAgeMs: ttlMs, nowMs } = deps;
  const first = createLruCache<string, readonly string[]>({ max, ttlMs, nowMs });
  return {
    keep(id, sealed) {
      if (sealed.length > 0) first.set(id, sealed);
    },
    async of({ id, partnerId }) {
      const kept = first.get(id);
      first.delete(id);
      const sealed = kept ?? (await deps.fetch(id));
      return Promise.all(sealed.map((one) => deps.open(one, partnerId)));
    },
  };
}
