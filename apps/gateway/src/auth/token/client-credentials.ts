import { OAuthFault } from './oauth-fault.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface BodyCredentials {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

/**
 * Client id and secret, by HTTP Basic or in the body (RFC 6749 §2.3.1).
 *
 * @throws OAuthFault invalid_request where both ways are used, invalid_client where neither is
 */
export function clientCredentials(
  authorization: string | undefined,
  body: BodyCredentials,
): ClientCredentials {
  const { client_id: clientId, client_secret: clientSecret } = body;
  if (authorization !== undefined) {
    const basic = readBasic(authorization);
    // §2.3: not more than one way in a request. A client id alone only repeats itself.
    if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
      throw new OAuthFault('invalid_request', {
        code: 'FIELD_INVALID',
        publicMessage: 'The client must authenticate either by HTTP Basic or in the body, not by both',
      });
    }
    return basic;
  }
  if (clientId === undefined || clientSecret === undefined)
    throw unknownClient('Client id and secret are required');
  return { clientId, clientSecret };
}

export function unknownClient(publicMessage: string, cause?: unknown): OAuthFault {
  return new OAuthFault('invalid_client', { code: 'UNAUTHENTICATED', publicMessage, cause });
}

function readBasic(authorization: string): ClientCredentials {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1];
  const text = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(text ?? '') ?? [];
  if (!id || !secret)
    throw unknownClient('The Authorization header must be "Basic" and client id and secret in base64');
  return { clientId: formDecoded(id), clientSecret: formDecoded(secret) };
}

/** RFC 6749 §2.3.1 wants both form-encoded before base64; most clients leave it out, and it changes nothing for ours. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
