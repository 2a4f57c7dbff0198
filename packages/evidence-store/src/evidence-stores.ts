import type { EvidenceEntry, EvidenceStoreName } from '@rubrica/contracts/services/schemas/evidence';
import type { EvidenceStore, StoredEvidence } from './evidence-store.ts';
import { EvidenceStoreError } from './evidence-store-error.ts';

/**
 * All stores that contain evidence at the same time: an entry names its store, and new objects are written to one of
 * them.
 */
export interface EvidenceStores {
  /** Store that receives new objects. */
  readonly current: EvidenceStore;
  readonly all: readonly EvidenceStore[];
  /**
   * Opens an object in the store that the entry names, without a request to it.
   * @throws EvidenceStoreError `unavailable` if that store has no settings
   */
  get(entry: EvidenceEntry): StoredEvidence;
  remove(entry: EvidenceEntry): Promise<void>;
  /** Creates an address in the store that the entry names. */
  addressOf(entry: EvidenceEntry): Promise<string | undefined>;
  /**
   * Finds a store by name.
   * @throws EvidenceStoreError `unavailable` if it has no settings
   */
  named(name: EvidenceStoreName): EvidenceStore;
}

/** Combines the store that receives new objects with the others, which are only read. */
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
  // An entry from before the second store contains no name.
  const findStore = ({ store = 'nats' }: EvidenceEntry) => named(store);
  return {
    current,
    all,
    named,
    get: (entry) => findStore(entry).get(entry),
    addressOf: async (entry) => findStore(entry).addressOf(entry),
    remove: async (entry) => findStore(entry).remove(entry),
  };
}
