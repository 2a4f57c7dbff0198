import { open, rm } from 'node:fs/promises';
import * as generationContract from '@rubrica/contracts/services/schemas/generation';
import { AppError, createLruCache } from '@rubrica/process';
import type { FastifyInstance } from 'fastify';
import { matchesEtag } from '../http/etag.ts';
import type { Limit } from '../http/rate-limits.ts';
import type { Peers } from '../peers/peers.ts';
import { createFetchPublished, type PublishedFile } from './fetch-published.ts';

export interface PkiDeps {
  readonly peers: Pick<Peers, 'generation'>;
  readonly limit: Limit | undefined;
  readonly nowMs?: () => number;
}

const maxKept = 50;

/** The authority's published files, at the addresses that certificates carry. Public. */
export function servePkiFiles(app: FastifyInstance, { peers, limit, nowMs = Date.now }: PkiDeps): void {
  const kept = createLruCache<string, PublishedFile>({ max: maxKept, nowMs });
  const fetchPublished = createFetchPublished(peers, nowMs);
  const fetchFile = async (file: string): Promise<PublishedFile> => {
    const known = kept.get(file);
    if (known !== undefined && nowMs() - known.fetchedAtMs < known.maxAgeSeconds * 1000) return known;
    const published = await fetchPublished(file);
    kept.set(file, published);
    // Whoever is reading it has it open, and reads on.
    if (known !== undefined && known !== kept.get(file)) await discard(known);
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
      const { content, mediaType, octets } = published;
      reply.header('content-type', mediaType);
      if (!('path' in content)) return reply.send(content);
      const handle = await opened(content.path);
      return reply.header('content-length', octets).send(handle.createReadStream());
    },
  );
}

/** A newer one may have taken its place since it was looked up: the reader asks again. */
async function opened(path: string) {
  try {
    return await open(path);
  } catch (cause) {
    throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1, cause });
  }
}

async function discard({ content }: PublishedFile): Promise<void> {
  if ('path' in content) await rm(content.path, { force: true });
}
