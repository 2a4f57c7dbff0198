import {
  DeleteObjectCommand,
  GetObjectLockConfigurationCommand,
  ListObjectVersionsCommand,
  type ObjectIdentifier,
  PutObjectLegalHoldCommand,
  type PutObjectRequest,
  PutObjectRetentionCommand,
} from '@aws-sdk/client-s3';
import type { EvidenceLocks, ObjectLockMode } from '../evidence-store.ts';
import { callBudget } from './repeating.ts';
import type { S3Bucket } from './s3-client.ts';
import { fromS3Error } from './s3-faults.ts';

export type LockHeaders = Pick<PutObjectRequest, 'ObjectLockMode' | 'ObjectLockRetainUntilDate'>;

const modes = { governance: 'GOVERNANCE', compliance: 'COMPLIANCE' } as const;

/** Returns the lock headers for a new object. */
export function lockHeaders(mode: ObjectLockMode, retainUntil: Date | undefined): LockHeaders {
  if (mode === 'none' || retainUntil === undefined) return {};
  return { ObjectLockMode: modes[mode], ObjectLockRetainUntilDate: retainUntil };
}

/**
 * Creates locks by which S3 itself prevents the removal of a version. Each key has one version of the service's, the
 * newest.
 */
export function s3Locks(bucket: S3Bucket, mode: ObjectLockMode): EvidenceLocks {
  const { client, repeating, bucket: Bucket, keyOf } = bucket;
  return {
    mode,
    async retain(entry, RetainUntilDate) {
      if (mode === 'none') return;
      const retain = new PutObjectRetentionCommand({
        Bucket,
        Key: keyOf(entry),
        Retention: { Mode: modes[mode], RetainUntilDate },
      });
      await repeating(callBudget, ({ abortSignal }) => client.send(retain, { abortSignal }));
    },
    async hold(entry, isHeld) {
      const hold = new PutObjectLegalHoldCommand({
        Bucket,
        Key: keyOf(entry),
        LegalHold: { Status: isHeld ? 'ON' : 'OFF' },
      });
      await repeating(callBudget, ({ abortSignal }) => client.send(hold, { abortSignal }));
    },
    async destroy(entry) {
      // A delete without a version only hides the object.
      for (const version of await listVersions(bucket, keyOf(entry))) {
        const remove = new DeleteObjectCommand({ Bucket, ...version });
        await repeating(callBudget, ({ abortSignal }) => client.send(remove, { abortSignal }));
      }
    },
    async isReady() {
      const ask = new GetObjectLockConfigurationCommand({ Bucket });
      try {
        const { ObjectLockConfiguration } = await client.send(ask, {
          abortSignal: AbortSignal.timeout(callBudget.tryMs),
        });
        return ObjectLockConfiguration?.ObjectLockEnabled === 'Enabled';
      } catch (error) {
        if (error instanceof Error && error.name === 'ObjectLockConfigurationNotFoundError') return false;
        throw fromS3Error(error);
      }
    },
  };
}

/** Lists up to a thousand versions, including delete markers: the service created one version, and perhaps a marker. */
async function listVersions(
  { client, repeating, bucket: Bucket }: S3Bucket,
  Prefix: string,
): Promise<(ObjectIdentifier & { Key: string })[]> {
  const list = new ListObjectVersionsCommand({ Bucket, Prefix });
  const { Versions = [], DeleteMarkers = [] } = await repeating(callBudget, ({ abortSignal }) =>
    client.send(list, { abortSignal }),
  );
  return [...Versions, ...DeleteMarkers].map(({ Key = '', VersionId }) => ({ Key, VersionId }));
}
