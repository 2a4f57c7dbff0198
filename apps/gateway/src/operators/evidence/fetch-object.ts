import { JetStreamError, type ObjectEntry, type ObjectStore } from '@rubrica/bus';
import { AppError } from '@rubrica/process';

/** An object of the evidence store, encrypted as it is. */
export type FetchObject = (entry: ObjectEntry) => Promise<Buffer>;

/** @throws AppError PAYLOAD_EXPIRED for one that is gone, SERVICE_UNAVAILABLE */
export function createFetchObject(store: Pick<ObjectStore, 'get'>): FetchObject {
  return async (entry) => {
    try {
      return await store.get(entry).bytes();
    } catch (cause) {
      if (cause instanceof JetStreamError && cause.code === 'missing')
        throw new AppError({
          code: 'PAYLOAD_EXPIRED',
          publicMessage: 'The evidence is no longer there',
          cause,
        });
      throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause, retryAfterSeconds: 2 });
    }
  };
}
