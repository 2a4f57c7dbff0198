import type { FastifyInstance } from 'fastify';
import { type Limit, limited } from '../http/rate-limits.ts';
import type { TokenKeys } from './token-keys.ts';

/** The public keys of our access tokens (RFC 7517). Short-lived in caches, so that a new key is known before it signs. */
export function serveJwks(
  app: FastifyInstance,
  { keys, limit }: { keys: Pick<TokenKeys, 'publicJwks'>; limit: Limit | undefined },
): void {
  const body = JSON.stringify(keys.publicJwks);
  app.get('/.well-known/jwks.json', limited(limit), (_request, reply) =>
    reply
      .header('content-type', 'application/jwk-set+json')
      .header('cache-control', 'public, max-age=300')
      .send(body),
  );
}
