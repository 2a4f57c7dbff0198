import { type Bus, JetStreamError, type JetStreamErrorCode, objectStore, type Upload } from '@rubrica/bus';
import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import type { EvidenceStore, EvidenceUpload, StoredEvidence } from '../evidence-store.ts';
import { EvidenceStoreError, type EvidenceStoreErrorCode } from '../evidence-store-error.ts';

const codes: Partial<Record<JetStreamErrorCode, EvidenceStoreErrorCode>> = {
  missing: 'missing',
  corrupt: 'corrupt',
  full: 'full',
  forbidden: 'forbidden',
};

function translateError(cause: unknown): unknown {
  if (!(cause instanceof JetStreamError)) return cause;
  return new EvidenceStoreError(codes[cause.code] ?? 'unavailable', cause.message, cause);
}

async function withTranslation<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw translateError(cause);
  }
}

async function* translateAll<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (cause) {
    throw translateError(cause);
  }
}

/**
 * Opens evidence in a write-once bucket of JetStream. It has one area: no user may write a chunk twice, and a user that
 * may purge controls all of it.
 */
export function natsEvidenceStore(bus: Bus, bucket: string): EvidenceStore {
  const store = objectStore(bus, bucket);
  return {
    name: 'nats',
    upload: (options) => translateUpload(store.upload(options)),
    async keep(bytes) {
      const upload = translateUpload(store.upload());
      upload.write(bytes);
      return { ...(await upload.finish()), area: 'kept' };
    },
    get(entry) {
      const stored = store.get(entry);
      const read: StoredEvidence = {
        chunks: () => translateAll(stored.chunks()),
        bytes: () => withTranslation(() => stored.bytes()),
      };
      return read;
    },
    addressOf: async () => undefined,
    remove: ({ id }) => withTranslation(() => store.remove(id)),
    async *list(options) {
      for await (const { id, storedAt } of translateAll(store.list(options)))
        yield { id, area: 'incoming', storedAt };
    },
    async sweep({ areas = ['incoming'], ...options }) {
      return areas.includes('incoming')
        ? withTranslation(() => store.sweep(options))
        : { removed: 0, foreign: 0 };
    },
    async probe() {
      const nothing = { id: '0'.repeat(32), chunks: 1, sizeBytes: 1, sha256: '' };
      await withTranslation(() => store.get(nothing).bytes()).catch((error) => {
        if (error instanceof EvidenceStoreError && error.code === 'missing') return;
        throw error;
      });
    },
  };
}

function translateUpload(upload: Upload): EvidenceUpload {
  return {
    ...upload,
    acknowledged: () => withTranslation(() => upload.acknowledged()),
    failure: () => translateError(upload.failure()),
    finish: (): Promise<EvidenceEntry> => withTranslation(() => upload.finish()),
  };
}
