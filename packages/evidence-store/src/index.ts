export {
  type EvidenceLocks,
  type EvidenceStore,
  type EvidenceSweepResult,
  type EvidenceUpload,
  type ListedObject,
  type LockedEntry,
  type ObjectLockMode,
  objectLockModes,
  type StoredEvidence,
  type SweepOptions,
} from './evidence-store.ts';
export { EvidenceStoreError, type EvidenceStoreErrorCode } from './evidence-store-error.ts';
export type { EvidenceStores } from './evidence-stores.ts';
export { createReadHandedOut, openEvidenceStores, type ReadHandedOut } from './open-stores.ts';
export { type EvidenceStoreSettings, evidenceStoreSettings } from './settings.ts';
