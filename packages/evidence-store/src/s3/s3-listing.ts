import { DeleteObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { EvidenceArea, EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import type { EvidenceSweepResult, ListedObject, SweepOptions } from '../evidence-store.ts';
import type { Budget } from './repeating.ts';
import type { S3Bucket } from './s3-client.ts';

/** Budget of background work, for which no caller waits. */
const backgroundBudget: Budget = { totalMs: 30_000, tryMs: 20_000 };
const idPattern = /^[0-9a-f]{32}$/;
const areas: readonly EvidenceArea[] = ['incoming', 'kept'];

interface Page {
  readonly found: readonly ListedObject[];
  readonly foreign: number;
}

/** Lists an area, a thousand objects per page. */
async function* listPages(bucket: S3Bucket, area: EvidenceArea): AsyncGenerator<Page> {
  const Prefix = bucket.prefixOf(area);
  let ContinuationToken: string | undefined;
  do {
    const list = new ListObjectsV2Command({ Bucket: bucket.bucket, Prefix, ContinuationToken });
    const page = await bucket.repeating(backgroundBudget, ({ abortSignal }) =>
      bucket.client.send(list, { abortSignal }),
    );
    const all = (page.Contents ?? []).map(({ Key = '', LastModified = new Date() }): ListedObject => {
      return { id: Key.slice(Prefix.length), area, storedAt: LastModified };
    });
    const found = all.filter(({ id }) => idPattern.test(id));
    yield { found, foreign: all.length - found.length };
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

export async function* listObjects(
  bucket: S3Bucket,
  { olderThanMs }: Pick<SweepOptions, 'olderThanMs'>,
): AsyncGenerator<ListedObject> {
  const before = Date.now() - olderThanMs;
  for (const area of areas)
    for await (const { found } of listPages(bucket, area))
      yield* found.filter(({ storedAt }) => storedAt.getTime() <= before);
}

export async function sweepObjects(
  bucket: S3Bucket,
  { olderThanMs, wanted, areas: sweptAreas = areas }: SweepOptions,
): Promise<EvidenceSweepResult> {
  const before = Date.now() - olderThanMs;
  let [removed, foreign] = [0, 0];
  for (const area of sweptAreas) {
    for await (const page of listPages(bucket, area)) {
      foreign += page.foreign;
      const old = page.found.filter(({ storedAt }) => storedAt.getTime() <= before);
      const kept = old.length === 0 ? new Set() : await wanted(old.map(({ id }) => id));
      for (const one of old.filter(({ id }) => !kept.has(id))) {
        await removeObject(bucket, one);
        removed += 1;
      }
    }
  }
  return { removed, foreign };
}

export async function removeObject(
  bucket: S3Bucket,
  entry: Pick<EvidenceEntry, 'id' | 'area'>,
): Promise<void> {
  const remove = new DeleteObjectCommand({ Bucket: bucket.bucket, Key: bucket.keyOf(entry) });
  await bucket.repeating(backgroundBudget, ({ abortSignal }) => bucket.client.send(remove, { abortSignal }));
}
