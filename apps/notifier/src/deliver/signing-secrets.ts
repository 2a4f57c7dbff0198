import { createLruCache } from '@rubrica/process';
import type { ClaimedDelivery } from './delivery.store.ts';

export type SigningSecrets = {
  /** What intake has just said. */
  remember(partnerId: string, sealedSecrets: readonly string[]): void;
  /** In the clear, newest first. */
  of(delivery: Pick<ClaimedDelivery, 'id' | 'partnerId' | 'secrets'>): Promise<readonly string[]>;
};

export type SigningSecretsDeps = {
  /** Asks intake for the sealed secrets that are valid now. */
  fetch(eventId: string): Promise<readonly string[]>;
  open(sealed: string): Promise<string>;
  nowMs: () => number;
  maxAgeMs: number;
  maxPartners: number;
};

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

  const openOne = async (sealed: string) => {
    const known = opened.get(sealed);
    if (known !== undefined) return known;
    const secret = await deps.open(sealed);
    opened.set(sealed, secret);
    return secret;
  };

  const validNow = async ({ id, partnerId, secrets }: Parameters<SigningSecrets['of']>[0]) => {
    const known = valid.get(partnerId);
    if (known !== undefined && nowMs() - known.at < deps.maxAgeMs) return known.sealed;
    const fetched = await deps.fetch(id).catch(() => undefined);
    if (fetched === undefined) return secrets;
    remember(partnerId, fetched);
    return fetched;
  };

  return { remember, of: async (delivery) => Promise.all((await validNow(delivery)).map(openOne)) };
}
