import { z } from 'zod';
import { text } from '../shared/fields.ts';

/** RFC 6749 §4.4.2 */
export const tokenRequestSchema = z
  .object({
    grant_type: z.literal('client_credentials'),
    client_id: text(200).optional().describe('Unless sent by HTTP Basic'),
    client_secret: text(200).optional().describe('Unless sent by HTTP Basic'),
    scope: text(500).optional().describe('Space-separated; all scopes of the client when absent'),
  })
  .meta({ id: 'TokenRequest' });

/** RFC 6749 §5.1 */
export const tokenResponseSchema = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().describe('Seconds'),
    scope: z.string(),
  })
  .meta({ id: 'TokenResponse' });

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
