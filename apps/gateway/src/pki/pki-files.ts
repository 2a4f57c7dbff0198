import { open, rm } from 'node:fs/promises';
import * as generationContract from '@rubrica/contracts/services/schemas/generation';
import { AppError } from '@rubrica/process/errors';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isUnchanged } from '../http/etag.ts';
import type { Limit } from '../http/rate-limits.ts';
import type { Peers } from '../peers/peers.ts';
import { createFetchPublished, type PublishedFile } from './fetch-published.ts';

export interface PkiDeps {
  readonly peers: Pick<Peers, 'generation'>;
  readonly limit: Limit | undefined;
  readonly nowMs?: () => number;
}

const maxCached = 50;

/** Serves the authority's published files, at the addresses in certificates. Public. */
export function servePkiFiles(app: FastifyInstance, { peers, limit, nowMs = Date.now }: PkiDeps): void {
  const cache = new LRUCache<string, PublishedFile>({
    max: maxCached,
    dispose(published, _file, reason) {
      if (reason === 'evict') void discard(published);
    },
  });
  const published = createFetchPublished(peers, nowMs);
  app.addHook('onClose', published.close);
  const fetchFile = async (file: string): Promise<PublishedFile> => {
    const cached = cache.get(file);
    if (cached !== undefined && nowMs() - cached.fetchedAtMs < cached.maxAgeSeconds * 1000) return cached;
    const fetched = await published.fetch(file, cached);
    const replaced = cache.get(file);
    cache.set(file, fetched);
    // A current reader has the file open and continues.
    if (replaced !== undefined && replaced.content !== fetched.content) await discard(replaced);
    return fetched;
  };
  app.get<{ Params: { file: string } }>(
    '/pki/:file',
    limit === undefined ? {} : { onRequest: limit },
    async (request, reply) => {
      const { file } = request.params;
      if (!generationContract.pkiFileInput.safeParse({ file }).success)
        throw new AppError({ code: 'ROUTE_NOT_FOUND' });
      const fetched = await fetchFile(file);
      // Remaining time, so that caches in front do not extend it.
      const ageSeconds = Math.floor((nowMs() - fetched.fetchedAtMs) / 1000);
      reply
        .header('etag', fetched.etag)
        .header('cache-control', `public, max-age=${Math.max(0, fetched.maxAgeSeconds - ageSeconds)}`)
        .header('cross-origin-resource-policy', 'cross-origin');
      if (fetched.lastModified !== undefined) reply.header('last-modified', fetched.lastModified);
      if (isUnchanged(request.headers, fetched)) return reply.code(304).send();
      const { content, mediaType, octets } = fetched;
      reply.header('content-type', mediaType);
      if (!('path' in content)) return reply.send(content);
      const handle = await openFile(content.path);
      return reply.header('content-length', octets).send(handle.createReadStream());
    },
  );
}

/** Opens a file on disk. A newer one may have replaced it since the lookup: the reader must retry. */
async function openFile(path: string) {
  try {
    return await open(path);
  } catch (cause) {
    throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1, cause });
  }
}

async function discard({ content }: PublishedFile): Promise<void> {
  if ('path' in content) await rm(content.path, { force: true });
}
