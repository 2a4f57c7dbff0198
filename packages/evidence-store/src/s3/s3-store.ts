import type { Readable } from 'node:stream';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import type { EvidenceStore } from '../evidence-store.ts';
import { EvidenceStoreError } from '../evidence-store-error.ts';
import { bytesOf, verified } from '../verified.ts';
import { callBudget } from './repeating.ts';
import { openS3Bucket, type S3Bucket, type S3Settings } from './s3-client.ts';
import { ofS3 } from './s3-faults.ts';
import { listObjects, removeObject, sweepObjects } from './s3-listing.ts';
import { lockHeaders, s3Locks } from './s3-locks.ts';
import { openS3Upload } from './s3-upload.ts';
import { unlessIdle } from './unless-idle.ts';

/** The time from the answer that hands it out to the request that uses it. */
const addressSeconds = 60;

/**
 * Evidence in a bucket of S3, under `incoming/` and `kept/`. What a user may do there is the bucket's policy; a service
 * asks for nothing that its part does not need.
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
      // Ceph 16 forgets what an upload in parts was begun with.
      if (entry.chunks > 1 && retainUntil !== undefined) await locks.retain(entry, retainUntil);
      return entry;
    },
    get: (entry) => ({
      chunks: () => verified(piecesOf(bucket, entry), entry),
      bytes: () => bucket.repeating(readBudget, () => bytesOf(verified(piecesOf(bucket, entry), entry))),
    }),
    addressOf: (entry) => addressOf(bucket, entry),
    remove: (entry) => removeObject(bucket, entry),
    list: (options) => listObjects(bucket, options),
    sweep: (options) => sweepObjects(bucket, options),
    probe: () => probe(bucket),
    locks,
  };
}

/** A body that stops in the middle is read again once. */
const readBudget = { totalMs: 12_000, tryMs: 12_000 };

function getting({ bucket: Bucket, keyOf }: S3Bucket, entry: Pick<EvidenceEntry, 'id' | 'area'>) {
  return new GetObjectCommand({ Bucket, Key: keyOf(entry) });
}

async function* piecesOf(bucket: S3Bucket, entry: EvidenceEntry): AsyncGenerator<Uint8Array> {
  const answer = await bucket.repeating(callBudget, ({ abortSignal }) =>
    bucket.client.send(getting(bucket, entry), { abortSignal }),
  );
  yield* unlessIdle(answer.Body as Readable);
}

function addressOf(bucket: S3Bucket, entry: EvidenceEntry): Promise<string> {
  return getSignedUrl(bucket.client, getting(bucket, entry), { expiresIn: addressSeconds }).catch((error) => {
    throw ofS3(error);
  });
}

/** An object that nobody has. Who may not read it learns that it may not, which is an answer too. */
async function probe(bucket: S3Bucket): Promise<void> {
  try {
    const abortSignal = AbortSignal.timeout(callBudget.tryMs);
    await bucket.client.send(getting(bucket, { id: '0'.repeat(32) }), { abortSignal });
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'NoSuchKey' || name === 'AccessDenied') return;
    const fault = ofS3(error);
    throw new EvidenceStoreError(fault.code, fault.message, error);
  }
}
