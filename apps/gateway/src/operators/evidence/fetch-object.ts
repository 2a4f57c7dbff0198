import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import { EvidenceStoreError, type EvidenceStores } from '@rubrica/evidence-store';
import { AppError } from '@rubrica/process';

/** An object of the evidence store, encrypted as it is. */
export type FetchObject = (entry: EvidenceEntry) => Promise<Buffer>;

/** @throws AppError PAYLOAD_EXPIRED for one that is gone, SERVICE_UNAVAILABLE */
export function createFetchObject(stores: Pick<EvidenceStores, 'get'>): FetchObject {
  return async (entry) => {
    try {
      return await stores.get(entry).bytes();
    } catch (cause) {
      if (cause instanceof EvidenceStoreError && cause.code === 'missing')
        throw new AppError({
          code: 'PAYLOAD_EXPIRED',
          publicMessage: 'The evidence is no longer there',
          cause,
        });
      throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause, retryAfterSeconds: 2 });
    }
  };
}
