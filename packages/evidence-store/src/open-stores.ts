import { readFileSync } from 'node:fs';
import type { Bus } from '@rubrica/bus';
import { evidenceBucket } from '@rubrica/contracts/messages/messages';
import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import type { ServiceParts } from '@rubrica/process/runner';
import type { EvidenceStore, ObjectLockMode } from './evidence-store.ts';
import { createEvidenceStores, type EvidenceStores } from './evidence-stores.ts';
import { natsEvidenceStore } from './nats/nats-store.ts';
import { readAddress } from './s3/read-address.ts';
import type { EvidenceStoreSettings } from './settings.ts';
import { watchStores } from './watch-stores.ts';

type OpenParts = Pick<ServiceParts, 'logger' | 'metrics'> & {
  readonly streams: Bus;
  /** Locks of the service that writes `kept/`. */
  readonly objectLock?: ObjectLockMode;
};

/**
 * Opens the stores of a service by its settings; a metric reports for each if it answers. No store receives a request
 * before it is needed. None makes a service unready: requests with small evidence work without it.
 */
export async function openEvidenceStores(
  settings: EvidenceStoreSettings,
  { streams, objectLock, ...parts }: OpenParts,
): Promise<EvidenceStores> {
  const nats = natsEvidenceStore(streams, evidenceBucket);
  const s3 = await openS3(settings, objectLock);
  const stores =
    settings.store === 's3' && s3 !== undefined
      ? createEvidenceStores(s3, [nats])
      : createEvidenceStores(nats, s3 === undefined ? [] : [s3]);
  watchStores(stores.all, parts);
  return stores;
}

/** Opens the store in S3 if it has settings. */
export async function openS3(
  { s3: { bucket, keyPrefix = '', ...settings } }: EvidenceStoreSettings,
  objectLock: ObjectLockMode = 'none',
): Promise<EvidenceStore | undefined> {
  if (bucket === undefined) return undefined;
  // The SDK occupies megabytes, which a service without S3 does not need.
  const { s3EvidenceStore } = await import('./s3/s3-store.ts');
  return s3EvidenceStore({ ...settings, bucket, keyPrefix, objectLock });
}

/**
 * Reads an object through an address that intake issued.
 * @throws EvidenceStoreError
 */
export type ReadHandedOut = (address: string, entry: EvidenceEntry) => Promise<Buffer>;

export function createReadHandedOut({ s3: { caFile } }: EvidenceStoreSettings): ReadHandedOut {
  const ca = caFile === undefined ? undefined : readFileSync(caFile);
  return (address, entry) => readAddress({ address, entry, ca });
}
