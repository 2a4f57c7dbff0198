import { type Bus, objectStore } from '@rubrica/bus';
import { evidenceBucket } from '@rubrica/contracts/messages/messages';
import { AppError } from '@rubrica/process';

/** An object of the evidence store, encrypted as it is. */
export type FetchObject = (name: string) => Promise<Buffer>;

/** @throws AppError PAYLOAD_EXPIRED for one that is gone, SERVICE_UNAVAILABLE */
export function createFetchObject(bus: Bus): FetchObject {
  const store = objectStore(bus, evidenceBucket);
  return async (name) => {
    const bytes = await read(store, name);
    if (bytes !== undefined) return bytes;
    throw new AppError({ code: 'PAYLOAD_EXPIRED', publicMessage: 'The evidence is no longer there' });
  };
}

async function read(store: ReturnType<typeof objectStore>, name: string): Promise<Buffer | undefined> {
  try {
    return await (await store.get(name))?.bytes();
  } catch (cause) {
    throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause, retryAfterSeconds: 2 });
  }
}
