import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PageFile } from './read-pages.ts';

const oneYear = 'public, max-age=31536000, immutable';

/** Serves the built files, and the start page, which selects the content, at every other address. */
export function servePages(app: FastifyInstance, pages: ReadonlyMap<string, PageFile>): void {
  const start = pages.get('/index.html');
  if (start === undefined) throw new Error('the folder of the pages has no index.html');
  app.get('/*', (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const file = pages.get(path);
    if (file !== undefined) return sendFile(file, request, reply);
    // A file of an older build: a page instead of it would be read as a script.
    if (path.startsWith('/assets/')) return reply.code(404).type('text/plain').send('not found\n');
    return sendFile(start, request, reply);
  });
}

function sendFile(file: PageFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  reply.header('content-type', file.type).header('vary', 'accept-encoding');
  reply.header('cache-control', file.isImmutable ? oneYear : 'no-cache');
  if (!takesGzip || file.gzipped === undefined) return reply.send(file.bytes);
  return reply.header('content-encoding', 'gzip').send(file.gzipped);
}
