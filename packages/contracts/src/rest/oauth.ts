import { z } from 'zod';
import { errorObjectSchema } from '../shared/errors.ts';
import { text } from '../shared/fields.ts';

/** RFC 7523 §2.2 */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Algorithms for assertions, by key type: RFC 7518, RFC 8037, and RFC 9864's own name for Ed25519. */
export const assertionAlgorithms = {
  RSA: ['PS256', 'RS256'],
  'P-256': ['ES256'],
  Ed25519: ['Ed25519', 'EdDSA'],
} as const;

export const maxAssertionSeconds = 300;

/** RFC 6749 §4.4.2 */
export const tokenRequestSchema = z
  .object({
    grant_type: z.literal('client_credentials'),
    client_id: text(200).optional().describe('Omit with HTTP Basic or an assertion'),
    client_secret: text(200).optional().describe('Omit with HTTP Basic or an assertion'),
    client_assertion_type: text(100).optional().describe(`Required with an assertion: ${assertionType}`),
    client_assertion: text(4096)
      .optional()
      .describe(
        'Replaces the secret (RFC 7523): a JWT signed with a key of the partner, valid once. iss and sub: the client id; aud: the issuer or the token address, as one string; exp: at most five minutes ahead; jti',
      ),
    scope: text(500).optional().describe('Space-separated scopes; default: all scopes of the client'),
  })
  .meta({ id: 'TokenRequest' });

/** RFC 6749 §5.1 */
export const tokenResponseSchema = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().describe('Lifetime in seconds'),
    scope: z.string(),
  })
  .meta({ id: 'TokenResponse' });

/** RFC 8414 §2 */
export const serverMetadataSchema = z
  .object({
    issuer: z.url(),
    token_endpoint: z.url(),
    jwks_uri: z.url(),
    scopes_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()).describe('Empty: there is no authorization endpoint'),
    grant_types_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    token_endpoint_auth_signing_alg_values_supported: z
      .array(z.string())
      .describe('Algorithms of assertions'),
    access_token_signing_alg_values_supported: z
      .array(z.string())
      .describe('Algorithms of access tokens; an additional member, which RFC 8414 allows'),
    service_documentation: z.url(),
  })
  .meta({ id: 'ServerMetadata' });
export type ServerMetadata = z.infer<typeof serverMetadataSchema>;

/** RFC 6749 §5.2 */
const oauthErrorCodes = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
] as const;
export type OAuthErrorCode = (typeof oauthErrorCodes)[number];

/** Error object of the token endpoint, with the members of RFC 6749 §5.2. */
export const tokenErrorSchema = errorObjectSchema
  .extend({
    error: z.string().describe(`${oauthErrorCodes.join(', ')}; the reason phrase with 429 and 5xx`),
    error_description: z.string().optional().describe('For developers, ASCII; absent with 429 and 5xx'),
  })
  .meta({ id: 'TokenError' });
