import { createHash, randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { createChunker, type UploadOptions } from '@rubrica/bus';
import type { EvidenceArea, EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import type { EvidenceUpload } from '../evidence-store.ts';
import { bodyBudget, callBudget } from './repeating.ts';
import type { S3Bucket } from './s3-client.ts';
import { isThereAlready, ofS3 } from './s3-faults.ts';
import type { LockHeaders } from './s3-locks.ts';

/** An object of up to one part goes in one request; S3 takes no part but the last below 5 MiB. */
const partBytes = 8 * 1024 * 1024;

function sha256Of(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('base64');
}

/** Every request of one object. */
function requestsOf({ client, repeating, bucket: Bucket }: S3Bucket, Key: string, lock: LockHeaders) {
  const at = { Bucket, Key };
  // Nobody writes twice under an id: a repeat of what came through finds it there.
  const once = { ...at, IfNoneMatch: '*' } as const;
  return {
    put: (Body: Uint8Array) =>
      repeating(bodyBudget(Body.length), async ({ abortSignal, n }) => {
        const put = new PutObjectCommand({
          ...once,
          ...lock,
          Body,
          ContentLength: Body.length,
          ChecksumSHA256: sha256Of(Body),
        });
        await client.send(put, { abortSignal }).catch((error) => {
          if (n === 0 || !isThereAlready(error)) throw error;
        });
      }),
    begin: () =>
      repeating(callBudget, async ({ abortSignal }) => {
        const begin = new CreateMultipartUploadCommand({ ...at, ...lock, ChecksumAlgorithm: 'SHA256' });
        return (await client.send(begin, { abortSignal })).UploadId ?? '';
      }),
    part: (UploadId: string, PartNumber: number, Body: Uint8Array): Promise<CompletedPart> =>
      repeating(bodyBudget(Body.length), async ({ abortSignal }) => {
        const ChecksumSHA256 = sha256Of(Body);
        const part = new UploadPartCommand({
          ...at,
          UploadId,
          PartNumber,
          Body,
          ContentLength: Body.length,
          ChecksumSHA256,
        });
        const { ETag } = await client.send(part, { abortSignal });
        return { ETag, PartNumber, ChecksumSHA256 };
      }),
    complete: (UploadId: string, Parts: CompletedPart[]) =>
      repeating(callBudget, async ({ abortSignal, n }) => {
        const complete = new CompleteMultipartUploadCommand({
          ...once,
          UploadId,
          MultipartUpload: { Parts },
        });
        await client.send(complete, { abortSignal }).catch((error) => {
          if (n === 0 || !isThereAlready(error)) throw error;
        });
      }),
    // What stays all the same, a rule of the bucket's life cycle takes away.
    abort: (UploadId: string) =>
      client
        .send(new AbortMultipartUploadCommand({ ...at, UploadId }), {
          abortSignal: AbortSignal.timeout(callBudget.totalMs),
        })
        .catch(() => undefined),
  };
}

interface S3UploadOptions extends UploadOptions {
  readonly area: EvidenceArea;
  readonly lock?: LockHeaders;
}

/** One closure, because all of an upload share its counts, what is under way and the first failure. */
export function openS3Upload(bucket: S3Bucket, { area, lock = {}, spent }: S3UploadOptions): EvidenceUpload {
  const id = randomBytes(16).toString('hex');
  const requests = requestsOf(bucket, bucket.keyOf({ id, area }), lock);
  const hash = createHash('sha256');
  const underWay: Promise<unknown>[] = [];
  const parts: Promise<CompletedPart>[] = [];
  let underWayBytes = 0;
  let sizeBytes = 0;
  /** A whole part, of which is not known yet whether it is the last. */
  let whole: Uint8Array | undefined;
  let uploadId: Promise<string> | undefined;
  let ending: Promise<void> | undefined;
  let failure: unknown;

  function track(bytes: number, work: Promise<unknown>): void {
    underWayBytes += bytes;
    const settled = work
      .then(
        () => undefined,
        (error: unknown) => {
          failure ??= ofS3(error);
        },
      )
      .then(() => {
        underWayBytes -= bytes;
        underWay.splice(underWay.indexOf(settled), 1);
      });
    underWay.push(settled);
  }
  function sendPart(body: Uint8Array): void {
    uploadId ??= requests.begin();
    const n = parts.length + 1;
    const part = uploadId.then((upload) => requests.part(upload, n, body));
    parts.push(part);
    track(body.length, part);
  }
  const onPart = (body: Uint8Array) => {
    if (whole !== undefined) sendPart(whole);
    whole = body;
  };
  const chunker = createChunker(partBytes, onPart, spent);
  async function complete(): Promise<void> {
    const upload = (await uploadId) ?? '';
    try {
      await requests.complete(upload, await Promise.all(parts));
    } catch (error) {
      void requests.abort(upload);
      throw error;
    }
  }
  function end(): void {
    if (ending !== undefined) return;
    chunker.end();
    const last = whole ?? Buffer.alloc(0);
    whole = undefined;
    if (parts.length > 0) sendPart(last);
    ending = parts.length > 0 ? complete() : requests.put(last);
    track(parts.length > 0 ? 0 : last.length, ending);
  }
  function assertStored(): void {
    if (failure !== undefined) throw failure;
  }

  return {
    write(piece) {
      // Nothing comes of it any more, and nothing of it is held.
      if (failure !== undefined) return;
      hash.update(piece);
      sizeBytes += piece.length;
      chunker.push(piece);
      if (whole === undefined || chunker.heldBytes() === 0) return;
      sendPart(whole);
      whole = undefined;
    },
    end,
    heldBytes: () => chunker.heldBytes() + (whole?.length ?? 0) + underWayBytes,
    underWayBytes: () => underWayBytes,
    failure: () => failure,
    async acknowledged() {
      assertStored();
      await underWay[0];
      assertStored();
    },
    async finish(): Promise<EvidenceEntry> {
      end();
      while (underWay.length > 0) await underWay[0];
      assertStored();
      const chunks = Math.max(1, parts.length);
      return { id, chunks, sizeBytes, sha256: hash.digest('hex'), store: 's3', area };
    },
  };
}
