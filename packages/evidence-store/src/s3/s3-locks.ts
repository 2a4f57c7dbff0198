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
import { ofS3 } from './s3-faults.ts';

export type LockHeaders = Pick<PutObjectRequest, 'ObjectLockMode' | 'ObjectLockRetainUntilDate'>;

const modes = { governance: 'GOVERNANCE', compliance: 'COMPLIANCE' } as const;

/** What a new object is put with. */
export function lockHeaders(mode: ObjectLockMode, retainUntil: Date | undefined): LockHeaders {
  if (mode === 'none' || retainUntil === undefined) return {};
  return { ObjectLockMode: modes[mode], ObjectLockRetainUntilDate: retainUntil };
}

/** S3 itself keeps a version from being removed; ours is the only one under its name, and the newest. */
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
      // Without its version a delete only covers the object up.
      for (const version of await versionsOf(bucket, keyOf(entry))) {
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
        throw ofS3(error);
      }
    },
  };
}

/** Up to a thousand, markers of removals among them: of ours there is one, and a marker perhaps. */
async function versionsOf(
  { client, repeating, bucket: Bucket }: S3Bucket,
  Prefix: string,
): Promise<(ObjectIdentifier & { Key: string })[]> {
  const list = new ListObjectVersionsCommand({ Bucket, Prefix });
  const { Versions = [], DeleteMarkers = [] } = await repeating(callBudget, ({ abortSignal }) =>
    client.send(list, { abortSignal }),
  );
  return [...Versions, ...DeleteMarkers].map(({ Key = '', VersionId }) => ({ Key, VersionId }));
}
