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
import { alreadyExists, fromS3Error } from './s3-faults.ts';
import type { LockHeaders } from './s3-locks.ts';

/** An object of up to one part needs one request; S3 accepts parts below 5 MiB only at the end. */
const partBytes = 8 * 1024 * 1024;

function hashSha256(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('base64');
}

/** Creates the requests of one object. */
function createRequests({ client, repeating, bucket: Bucket }: S3Bucket, Key: string, lock: LockHeaders) {
  const at = { Bucket, Key };
  // An id is written once: a repetition of a successful request finds the object.
  const once = { ...at, IfNoneMatch: '*' } as const;
  return {
    put: (Body: Uint8Array) =>
      repeating(bodyBudget(Body.length), async ({ abortSignal, n }) => {
        const put = new PutObjectCommand({
          ...once,
          ...lock,
          Body,
          ContentLength: Body.length,
          ChecksumSHA256: hashSha256(Body),
        });
        await client.send(put, { abortSignal }).catch((error) => {
          if (n === 0 || !alreadyExists(error)) throw error;
        });
      }),
    begin: () =>
      repeating(callBudget, async ({ abortSignal }) => {
        const begin = new CreateMultipartUploadCommand({ ...at, ...lock, ChecksumAlgorithm: 'SHA256' });
        return (await client.send(begin, { abortSignal })).UploadId ?? '';
      }),
    part: (UploadId: string, PartNumber: number, Body: Uint8Array): Promise<CompletedPart> =>
      repeating(bodyBudget(Body.length), async ({ abortSignal }) => {
        const ChecksumSHA256 = hashSha256(Body);
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
          if (n === 0 || !alreadyExists(error)) throw error;
        });
      }),
    // A rule of the bucket's life cycle removes what remains after a failure.
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

/**
 * Opens an upload. It is one closure, because all parts of an upload share its counts, its open requests and its first
 * failure.
 */
export function openS3Upload(bucket: S3Bucket, { area, lock = {}, spent }: S3UploadOptions): EvidenceUpload {
  const id = randomBytes(16).toString('hex');
  const requests = createRequests(bucket, bucket.keyOf({ id, area }), lock);
  const hash = createHash('sha256');
  const openRequests: Promise<unknown>[] = [];
  const parts: Promise<CompletedPart>[] = [];
  let underWayBytes = 0;
  let sizeBytes = 0;
  /** A full part; unknown yet if it is the last. */
  let fullPart: Uint8Array | undefined;
  let uploadId: Promise<string> | undefined;
  let ending: Promise<void> | undefined;
  let failure: unknown;

  function track(bytes: number, work: Promise<unknown>): void {
    underWayBytes += bytes;
    const settled = work
      .then(
        () => undefined,
        (error: unknown) => {
          failure ??= fromS3Error(error);
        },
      )
      .then(() => {
        underWayBytes -= bytes;
        openRequests.splice(openRequests.indexOf(settled), 1);
      });
    openRequests.push(settled);
  }
  function sendPart(body: Uint8Array): void {
    uploadId ??= requests.begin();
    const n = parts.length + 1;
    const part = uploadId.then((upload) => requests.part(upload, n, body));
    parts.push(part);
    track(body.length, part);
  }
  const onPart = (body: Uint8Array) => {
    if (fullPart !== undefined) sendPart(fullPart);
    fullPart = body;
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
    const last = fullPart ?? Buffer.alloc(0);
    fullPart = undefined;
    if (parts.length > 0) sendPart(last);
    ending = parts.length > 0 ? complete() : requests.put(last);
    track(parts.length > 0 ? 0 : last.length, ending);
  }
  function assertStored(): void {
    if (failure !== undefined) throw failure;
  }

  return {
    write(piece) {
      // The upload has failed, so its bytes are dropped.
      if (failure !== undefined) return;
      hash.update(piece);
      sizeBytes += piece.length;
      chunker.push(piece);
      if (fullPart === undefined || chunker.heldBytes() === 0) return;
      sendPart(fullPart);
      fullPart = undefined;
    },
    end,
    heldBytes: () => chunker.heldBytes() + (fullPart?.length ?? 0) + underWayBytes,
    underWayBytes: () => underWayBytes,
    failure: () => failure,
    async acknowledged() {
      assertStored();
      await openRequests[0];
      assertStored();
    },
    async finish(): Promise<EvidenceEntry> {
      end();
      while (openRequests.length > 0) await openRequests[0];
      assertStored();
      const chunks = Math.max(1, parts.length);
      return { id, chunks, sizeBytes, sha256: hash.digest('hex'), store: 's3', area };
    },
  };
}
