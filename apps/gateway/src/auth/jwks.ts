import type { Keyring } from '@rubrica/process/keyring';
import { tokenSigner } from '@rubrica/process/tokens';
import type { FastifyInstance } from 'fastify';
import { type Limit, withLimit } from '../http/rate-limits.ts';

/**
 * Serves the public keys of access tokens (RFC 7517) from our own peers file, without a call to intake. Caches keep
 * them briefly, so that a new key is known before it signs.
 */
export function serveJwks(
  app: FastifyInstance,
  { keyring, limit }: { keyring: Pick<Keyring, 'publicSigningKeys'>; limit: Limit | undefined },
): void {
  app.get('/.well-known/jwks.json', withLimit(limit), (_request, reply) =>
    reply
      .header('content-type', 'application/jwk-set+json')
      .header('cache-control', 'public, max-age=300')
      .send(JSON.stringify({ keys: keyring.publicSigningKeys(tokenSigner) })),
  );
}
