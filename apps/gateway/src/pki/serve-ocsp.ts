import * as generationContract from '@rubrica/contracts/services/schemas/generation';
import { type ByteBudget, type Pace, withBytes } from '@rubrica/process/bodies';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { listCallerKeys } from '../http/caller-keys.ts';
import { isUnchanged } from '../http/etag.ts';
import type { Limit } from '../http/rate-limits.ts';
import type { Peers } from '../peers/peers.ts';
import { decodeRequest } from './encoded-request.ts';

export interface OcspDeps {
  readonly peers: Pick<Peers, 'generation'>;
  readonly limit: Limit | undefined;
  readonly budget: ByteBudget;
  readonly pace: Pace;
}

const mediaType = 'application/ocsp-response';
const maxBytes = generationContract.maxOcspRequestBytes;

/**
 * Serves OCSP over HTTP (RFC 6960 §A, RFC 5019 §5 and §6). Public. Nothing is cached here: generation has the answers,
 * and a revocation must not wait for a cache. Generation also checks the request, so that an invalid one gets an OCSP
 * error with HTTP 200, under any media type.
 */
export function serveOcsp(app: FastifyInstance, { peers, limit, budget, pace }: OcspDeps): void {
  const gate = { onRequest: limit === undefined ? [] : [limit] };
  const queryOcsp = (request: Uint8Array) =>
    peers.generation['pki.ocsp']({ request: Buffer.from(request).toString('base64') });
  app.post('/pki/ocsp', { onRequest: [...gate.onRequest, ignoreMediaType] }, async (request, reply) => {
    const allowance = budget.of(listCallerKeys(request));
    const der = await withBytes(request.raw, { maxBytes, allowance, pace }, (bytes) => bytes);
    return send(reply, await queryOcsp(der), undefined);
  });
  app.get('/pki/ocsp/*', gate, async (request, reply) => {
    const der = decodeRequest(request.raw.url ?? '') ?? new Uint8Array();
    return send(reply, await queryOcsp(der.subarray(0, maxBytes)), request.headers);
  });
}

/**
 * Replaces the media type: Fastify refuses an invalid one (415) before the route, old clients send such, and only the
 * bytes count.
 */
async function ignoreMediaType({ raw }: FastifyRequest): Promise<void> {
  raw.headers['content-type'] = 'application/ocsp-request';
}

function send(
  reply: FastifyReply,
  { response, caching }: generationContract.OcspAnswer,
  conditions: FastifyRequest['headers'] | undefined,
): FastifyReply {
  reply.header('content-type', mediaType).header('cross-origin-resource-policy', 'cross-origin');
  if (caching === null) reply.header('cache-control', 'no-store');
  else {
    const lastModified = new Date(caching.lastModified).toUTCString();
    reply
      .header('cache-control', `max-age=${caching.maxAgeSeconds}, public, no-transform, must-revalidate`)
      .header('etag', caching.etag)
      .header('last-modified', lastModified)
      .header('expires', new Date(caching.expires).toUTCString());
    if (conditions && isUnchanged(conditions, { etag: caching.etag, lastModified }))
      return reply.code(304).removeHeader('content-type').send();
  }
  return reply.send(Buffer.from(response, 'base64'));
}
