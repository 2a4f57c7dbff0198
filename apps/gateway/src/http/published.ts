import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesEtag } from './etag.ts';

const encoders = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
} as const;
type Encoding = keyof typeof encoders;

/** Minimum size for compression. */
const minBytes = 1_024;

/**
 * Public content that is the same for every caller and without secrets, so that it can be cached with its compressed
 * forms.
 */
export interface Published {
  /** Bytes instead of text: of a text, every slow reader would hold a copy. */
  readonly body: Buffer;
  readonly etag: string;
  readonly encoded: Map<Encoding, Promise<Buffer>>;
}

/**
 * Prepares content for publication.
 * @param about headers that make it another version, in addition to its bytes
 */
export function publish(text: string, about = ''): Published {
  const body = Buffer.from(text);
  const etag = `"${createHash('sha256').update(about).update(body).digest('base64url').slice(0, 22)}"`;
  return { body, etag, encoded: new Map() };
}

/** Sends the content in the encoding that the client accepts, or 304; each encoding is created at its first use. */
export async function sendPublished(request: FastifyRequest, reply: FastifyReply, published: Published) {
  const { body, etag, encoded } = published;
  const encoding = body.length < minBytes ? undefined : selectEncoding(request.headers['accept-encoding']);
  const varies = [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', ');
  reply.header('vary', varies).header('cache-control', 'public, max-age=300');
  // Weak where the bytes differ from the plain form (RFC 9110 §8.8.3).
  reply.header('etag', encoding === undefined ? etag : `W/${etag}`);
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  if (encoding === undefined) return reply.send(body);
  const compressed = encoded.get(encoding) ?? encoders[encoding](body);
  encoded.set(encoding, compressed);
  return reply.header('content-encoding', encoding).send(await compressed);
}

/** Selects the encoding (RFC 9110 §12.5.3): brotli if accepted, otherwise gzip; `q=0` refuses one. */
function selectEncoding(header: string | string[] | undefined): Encoding | undefined {
  const accepted = [header ?? '']
    .flat()
    .join(',')
    .slice(0, 200)
    .toLowerCase()
    .split(',')
    .map((range) => range.trim())
    .filter((range) => !/;\s*q=0(?:\.0*)?$/.test(range))
    .map((range) => range.split(';')[0]?.trim());
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding));
}
