import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Allows pages of these origins to call from a browser. Without origins, no CORS header is ever sent. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'accept-language',
      'if-none-match',
      'x-request-id',
      'traceparent',
      'trpc-accept',
    ],
    exposedHeaders: [
      'etag',
      'retry-after',
      'x-request-id',
      'www-authenticate',
      'x-quota-limit',
      'x-quota-remaining',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
    ],
    maxAge: 600,
    // The library refuses an incomplete preflight in plain text; ours gets the same 405 as any other method.
    strictPreflight: false,
  });
}
