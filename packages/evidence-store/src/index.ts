export type {
  EvidenceStore,
  EvidenceUpload,
  ListedObject,
  StoredEvidence,
  SweepOptions,
  Swept,
} from './evidence-store.ts';
export { EvidenceStoreError, type EvidenceStoreErrorCode } from './evidence-store-error.ts';
export { createEvidenceStores, type EvidenceStores } from './evidence-stores.ts';
export { natsEvidenceStore } from './nats/nats-store.ts';
