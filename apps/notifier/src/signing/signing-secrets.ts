import { createLruCache } from '@rubrica/process';

/** What is to be signed for whom, with the sealed secrets that were stored with it. */
export interface SignedDelivery {
  readonly id: string;
  readonly partnerId: string;
  readonly secrets: readonly string[];
}

export interface SigningSecrets {
  /** What intake has just said. */
  remember(partnerId: string, sealedSecrets: readonly string[]): void;
  /** In the clear, newest first. */
  of(delivery: SignedDelivery): Promise<readonly string[]>;
}

export interface SigningSecretsDeps {
  /** Asks intake for the sealed secrets that are valid now. */
  fetch(eventId: string): Promise<readonly string[]>;
  /** Only what was sealed for that partner. */
  open(sealed: string, partnerId: string): Promise<string>;
  readonly nowMs: () => number;
  readonly maxAgeMs: number;
  readonly maxPartners: number;
}

/**
 * Secrets to sign with. They may be replaced in the days over which a delivery is tried, so they are asked for
 * again when older than `maxAgeMs`; while intake is away, those stored with the delivery have to do.
 */
export function createSigningSecrets(deps: SigningSecretsDeps): SigningSecrets {
  const { maxPartners: max, nowMs } = deps;
  const valid = createLruCache<string, { sealed: readonly string[]; at: number }>({ max, nowMs });
  // Opening costs more than signing, and a partner's secrets are the same ones for months.
  const opened = createLruCache<string, string>({ max, nowMs });

  const remember = (partnerId: string, sealed: readonly string[]) =>
    void valid.set(partnerId, { sealed, at: nowMs() });

  const openOne = async (sealed: string, partnerId: string) => {
    const cacheKey = `${partnerId} ${sealed}`;
    const known = opened.get(cacheKey);
    if (known !== undefined) return known;
    const secret = await deps.open(sealed, partnerId);
    opened.set(cacheKey, secret);
    return secret;
  };

  const validNow = async ({ id, partnerId, secrets }: SignedDelivery) => {
    const known = valid.get(partnerId);
    if (known !== undefined && nowMs() - known.at < deps.maxAgeMs) return known.sealed;
    const fetched = await deps.fetch(id).catch(() => undefined);
    if (fetched === undefined) return secrets;
    remember(partnerId, fetched);
    return fetched;
  };

  return {
    remember,
    async of(delivery) {
      const sealed = await validNow(delivery);
      return Promise.all(sealed.map((one) => openOne(one, delivery.partnerId)));
    },
  };
}
