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

/** Smaller bodies gain nothing. */
const leastBytes = 1_024;

/** What is the same for every caller and holds no secret, so that it may be kept, and compressed beside them. */
export interface Published {
  /** Bytes, not a text: of a text every reader who is slow would have a copy. */
  readonly body: Buffer;
  readonly etag: string;
  readonly encoded: Map<Encoding, Promise<Buffer>>;
}

/** @param about what of its headers makes it another version, beside its bytes */
export function publish(text: string, about = ''): Published {
  const body = Buffer.from(text);
  const etag = `"${createHash('sha256').update(about).update(body).digest('base64url').slice(0, 22)}"`;
  return { body, etag, encoded: new Map() };
}

/** Sends it once for each version of it, in the encoding that the client takes; each is made at its first use. */
export async function sendPublished(request: FastifyRequest, reply: FastifyReply, published: Published) {
  const { body, etag, encoded } = published;
  const encoding =
    body.length < leastBytes ? undefined : acceptedEncoding(request.headers['accept-encoding']);
  const varies = [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', ');
  reply.header('vary', varies).header('cache-control', 'public, max-age=300');
  // Weak where the bytes are not those of the plain one (RFC 9110 §8.8.3).
  reply.header('etag', encoding === undefined ? etag : `W/${etag}`);
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  if (encoding === undefined) return reply.send(body);
  const made = encoded.get(encoding) ?? encoders[encoding](body);
  encoded.set(encoding, made);
  return reply.header('content-encoding', encoding).send(await made);
}

/** RFC 9110 §12.5.3: brotli where it is taken, otherwise gzip; `q=0` refuses one. */
function acceptedEncoding(header: string | string[] | undefined): Encoding | undefined {
  const taken = [header ?? '']
    .flat()
    .join(',')
    .slice(0, 200)
    .toLowerCase()
    .split(',')
    .map((range) => range.trim())
    .filter((range) => !/;\s*q=0(?:\.0*)?$/.test(range))
    .map((range) => range.split(';')[0]?.trim());
  return (['br', 'gzip'] as const).find((encoding) => taken.includes(encoding));
}
