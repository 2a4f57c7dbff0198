import * as generationContract from '@rubrica/contracts/services/schemas/generation';
import { AppError, createLruCache, toAppError } from '@rubrica/process';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { matchesEtag } from '../http/etag.ts';
import type { Limit } from '../http/rate-limits.ts';
import type { Peers } from '../peers/peers.ts';

interface PublishedFile {
  readonly bytes: Buffer;
  readonly mediaType: string;
  readonly etag: string;
  readonly lastModified: string | undefined;
  readonly fetchedAtMs: number;
  readonly maxAgeSeconds: number;
}

export interface PkiDeps {
  readonly peers: Pick<Peers, 'generation'>;
  readonly limit: Limit | undefined;
  readonly nowMs?: () => number;
}

const maxKept = 50;

/** The authority's published files, at the addresses that certificates carry. Public. */
export function servePkiFiles(app: FastifyInstance, { peers, limit, nowMs = Date.now }: PkiDeps): void {
  const kept = createLruCache<string, PublishedFile>({ max: maxKept, nowMs });
  const fetchFile = async (file: string): Promise<PublishedFile> => {
    const known = kept.get(file);
    if (known !== undefined && nowMs() - known.fetchedAtMs < known.maxAgeSeconds * 1000) return known;
    const published = toPublished(await ask(peers, file), nowMs());
    kept.set(file, published);
    return published;
  };
  app.get<{ Params: { file: string } }>(
    '/pki/:file',
    limit === undefined ? {} : { onRequest: limit },
    async (request, reply) => {
      const { file } = request.params;
      if (!generationContract.pkiFileInput.safeParse({ file }).success)
        throw new AppError({ code: 'ROUTE_NOT_FOUND' });
      const published = await fetchFile(file);
      // What is left of its time here, so that caches in front do not add theirs to it.
      const ageSeconds = Math.floor((nowMs() - published.fetchedAtMs) / 1000);
      reply
        .header('etag', published.etag)
        .header('cache-control', `public, max-age=${Math.max(0, published.maxAgeSeconds - ageSeconds)}`)
        .header('cross-origin-resource-policy', 'cross-origin');
      if (published.lastModified !== undefined) reply.header('last-modified', published.lastModified);
      if (matchesEtag(request.headers['if-none-match'], published.etag)) return reply.code(304).send();
      return reply.header('content-type', published.mediaType).send(published.bytes);
    },
  );
}

async function ask(peers: PkiDeps['peers'], file: string) {
  try {
    return await peers.generation['pki.file']({ file });
  } catch (error) {
    const fault = toAppError(error);
    if (fault.code !== 'CERTIFICATE_NOT_FOUND') throw fault;
    throw new AppError({ code: 'ROUTE_NOT_FOUND', cause: fault });
  }
}

function toPublished(file: z.output<typeof generationContract.pkiFile>, fetchedAtMs: number): PublishedFile {
  const { content, mediaType, etag, maxAgeSeconds, lastModified } = file;
  return {
    bytes: Buffer.from(content, 'base64'),
    mediaType,
    etag: /^(W\/)?".*"$/.test(etag) ? etag : `"${etag}"`,
    lastModified: lastModified && new Date(lastModified).toUTCString(),
    fetchedAtMs,
    maxAgeSeconds,
  };
}
