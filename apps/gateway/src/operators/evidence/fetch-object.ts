import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import { EvidenceStoreError, type EvidenceStores, type ReadHandedOut } from '@rubrica/evidence-store';
import { AppError } from '@rubrica/process';

/** An object of the evidence store, encrypted as it is; by the address that intake handed out, where it did. */
export type FetchObject = (entry: EvidenceEntry, address: string | undefined) => Promise<Buffer>;

interface Needs {
  readonly stores: Pick<EvidenceStores, 'get'>;
  readonly readHandedOut: ReadHandedOut;
}

/** @throws AppError PAYLOAD_EXPIRED for one that is gone, SERVICE_UNAVAILABLE */
export function createFetchObject({ stores, readHandedOut }: Needs): FetchObject {
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
