import { assertionAlgorithms, type ServerMetadata } from '@rubrica/contracts/rest/oauth';
import { operations } from '@rubrica/contracts/rest/operations';
import { scopes } from '@rubrica/contracts/shared/enumerations';
import type { FastifyInstance } from 'fastify';
import type { Handler } from '../http/handler.ts';
import { type Limit, withLimit } from '../http/rate-limits.ts';

/** Cached as long as the keys that it names. */
const maxAgeSeconds = 300;

/** Creates the metadata that client libraries read before they request a token (RFC 8414). Public. */
export function createServerMetadata({ issuer }: { readonly issuer: string }): Handler {
  const metadata: ServerMetadata = {
    issuer,
    token_endpoint: `${issuer}${operations.token.path}`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: [...scopes],
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: Object.values(assertionAlgorithms).flat(),
    access_token_signing_alg_values_supported: ['EdDSA'],
    service_documentation: `${issuer}/docs`,
  };
  return async (_request, reply) => {
    reply.header('cache-control', `public, max-age=${maxAgeSeconds}`);
    return metadata;
  };
}

/**
 * Serves the same metadata at the address of libraries that support only OpenID Connect (RFC 8414 §5). There are no ID
 * tokens.
 */
export function serveOpenIdConfiguration(
  app: FastifyInstance,
  { issuer, limit }: { readonly issuer: string; readonly limit: Limit | undefined },
): void {
  app.get('/.well-known/openid-configuration', withLimit(limit), createServerMetadata({ issuer }));
}
