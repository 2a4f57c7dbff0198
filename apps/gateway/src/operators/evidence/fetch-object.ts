import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import { EvidenceStoreError, type EvidenceStores, type ReadHandedOut } from '@rubrica/evidence-store';
import { AppError } from '@rubrica/process/errors';

/** Fetches an encrypted object of the evidence store, by intake's address if there is one. */
export type FetchObject = (entry: EvidenceEntry, address: string | undefined) => Promise<Buffer>;

interface FetchObjectDeps {
  readonly stores: Pick<EvidenceStores, 'get'>;
  readonly readHandedOut: ReadHandedOut;
}

/**
 * Creates the fetch function.
 * @throws AppError PAYLOAD_EXPIRED for a deleted object, SERVICE_UNAVAILABLE
 */
export function createFetchObject({ stores, readHandedOut }: FetchObjectDeps): FetchObject {
  return async (entry, address) => {
    try {
      return await (address === undefined ? stores.get(entry).bytes() : readHandedOut(address, entry));
    } catch (cause) {
      if (cause instanceof EvidenceStoreError && cause.code === 'missing')
        throw new AppError({
          code: 'PAYLOAD_EXPIRED',
          text: createText('operator.evidenceGone'),
          cause,
        });
      throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause, retryAfterSeconds: 2 });
    }
  };
}
