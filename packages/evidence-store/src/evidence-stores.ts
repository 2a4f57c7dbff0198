import type { EvidenceEntry, EvidenceStoreName } from '@rubrica/contracts/services/schemas/evidence';
import type { EvidenceStore, StoredEvidence } from './evidence-store.ts';
import { EvidenceStoreError } from './evidence-store-error.ts';

/** All stores that evidence may be in at once: an entry says in which it is, and what is new goes to one of them. */
export interface EvidenceStores {
  /** What new things are written to. */
  readonly current: EvidenceStore;
  readonly all: readonly EvidenceStore[];
  /** From the store that the entry names. Asks nothing yet. @throws EvidenceStoreError `unavailable` where that has no settings */
  get(entry: EvidenceEntry): StoredEvidence;
  remove(entry: EvidenceEntry): Promise<void>;
  /** Of the store that the entry names. */
  addressOf(entry: EvidenceEntry): Promise<string | undefined>;
  /** @throws EvidenceStoreError `unavailable` where this one has no settings */
  named(name: EvidenceStoreName): EvidenceStore;
}

/** Of the store that new things go to and the others that are only read. */
export function createEvidenceStores(
  current: EvidenceStore,
  others: readonly EvidenceStore[] = [],
): EvidenceStores {
  const all = [current, ...others];
  const named = (name: EvidenceStoreName): EvidenceStore => {
    const store = all.find((one) => one.name === name);
    if (store !== undefined) return store;
    throw new EvidenceStoreError('unavailable', `no settings for the evidence store ${name}`);
  };
  // An entry of before there were two of them says nothing.
  const of = ({ store = 'nats' }: EvidenceEntry) => named(store);
  return {
    current,
    all,
    named,
    get: (entry) => of(entry).get(entry),
    addressOf: async (entry) => of(entry).addressOf(entry),
    remove: async (entry) => of(entry).remove(entry),
  };
}
