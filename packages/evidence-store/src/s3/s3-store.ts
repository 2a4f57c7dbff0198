import type { Readable } from 'node:stream';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import type { EvidenceStore } from '../evidence-store.ts';
import { EvidenceStoreError } from '../evidence-store-error.ts';
import { joinPieces, verifyPieces } from '../verify-pieces.ts';
import { withIdleTimeout } from './idle-timeout.ts';
import { callBudget } from './repeating.ts';
import { openS3Bucket, type S3Bucket, type S3Settings } from './s3-client.ts';
import { fromS3Error } from './s3-faults.ts';
import { listObjects, removeObject, sweepObjects } from './s3-listing.ts';
import { lockHeaders, s3Locks } from './s3-locks.ts';
import { openS3Upload } from './s3-upload.ts';

/** Time from the answer that contains the address to the request that uses it. */
const addressSeconds = 60;

/**
 * Opens evidence in a bucket of S3, under `incoming/` and `kept/`. The bucket's policy determines the rights of each
 * user; a service requests nothing beyond its role.
 */
export function s3EvidenceStore(settings: S3Settings): EvidenceStore {
  const bucket = openS3Bucket(settings);
  const mode = settings.objectLock ?? 'none';
  const locks = s3Locks(bucket, mode);
  return {
    name: 's3',
    upload: (options) => openS3Upload(bucket, { area: 'incoming', ...options }),
    async keep(bytes, retainUntil) {
      const upload = openS3Upload(bucket, { area: 'kept', lock: lockHeaders(mode, retainUntil) });
      upload.write(bytes);
      const entry = await upload.finish();
      // Ceph 16 ignores the lock headers of a multipart upload.
      if (entry.chunks > 1 && retainUntil !== undefined) await locks.retain(entry, retainUntil);
      return entry;
    },
    get: (entry) => ({
      chunks: () => verifyPieces(readPieces(bucket, entry), entry),
      bytes: () =>
        bucket.repeating(readBudget, () => joinPieces(verifyPieces(readPieces(bucket, entry), entry))),
    }),
    addressOf: (entry) => createAddress(bucket, entry),
    remove: (entry) => removeObject(bucket, entry),
    list: (options) => listObjects(bucket, options),
    sweep: (options) => sweepObjects(bucket, options),
    probe: () => probe(bucket),
    locks,
  };
}

/** A body that stops midway is read once more. */
const readBudget = { totalMs: 12_000, tryMs: 12_000 };

function createGet({ bucket: Bucket, keyOf }: S3Bucket, entry: Pick<EvidenceEntry, 'id' | 'area'>) {
  return new GetObjectCommand({ Bucket, Key: keyOf(entry) });
}

async function* readPieces(bucket: S3Bucket, entry: EvidenceEntry): AsyncGenerator<Uint8Array> {
  const answer = await bucket.repeating(callBudget, ({ abortSignal }) =>
    bucket.client.send(createGet(bucket, entry), { abortSignal }),
  );
  yield* withIdleTimeout(answer.Body as Readable);
}

function createAddress(bucket: S3Bucket, entry: EvidenceEntry): Promise<string> {
  return getSignedUrl(bucket.client, createGet(bucket, entry), { expiresIn: addressSeconds }).catch(
    (error) => {
      throw fromS3Error(error);
    },
  );
}

/** Requests an object that does not exist. A service without read rights receives a refusal, which is an answer too. */
async function probe(bucket: S3Bucket): Promise<void> {
  try {
    const abortSignal = AbortSignal.timeout(callBudget.tryMs);
    await bucket.client.send(createGet(bucket, { id: '0'.repeat(32) }), { abortSignal });
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'NoSuchKey' || name === 'AccessDenied') return;
    const fault = fromS3Error(error);
    throw new EvidenceStoreError(fault.code, fault.message, error);
  }
}
