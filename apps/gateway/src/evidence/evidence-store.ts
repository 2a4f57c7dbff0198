import { type Bus, objectStore } from '@rubrica/bus';
import { evidenceBucket } from '@rubrica/contracts';
import { AppError } from '@rubrica/service';
import type { StoreObject } from './bundle-files.ts';

/**
 * Puts encrypted evidence into the object store. A failure is SERVICE_UNAVAILABLE: nothing was registered yet,
 * and what was stored without a row is swept.
 */
export function createEvidenceStore(bus: Bus): StoreObject {
  const store = objectStore(bus, evidenceBucket);
  return async (name, pieces) => {
    try {
      // Names are made of new ids, so there is nothing to replace and no need to look for it.
      await store.put(name, pieces, { fresh: true });
    } catch (cause) {
      throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause, retryAfterSeconds: 2 });
    }
  };
}
