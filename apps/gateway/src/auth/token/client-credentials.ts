import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { assertionType } from '@rubrica/contracts/rest/oauth';
import { decodeJwt } from 'jose';
import { OAuthFault } from './oauth-fault.ts';

export interface ClientSecret {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ClientAssertion {
  /** As the assertion says, before anybody has looked at its signature. */
  readonly clientId: string;
  readonly assertion: string;
}

export type ClientCredentials = ClientSecret | ClientAssertion;

interface BodyCredentials {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly client_assertion_type?: string | undefined;
  readonly client_assertion?: string | undefined;
}

/**
 * Client id and secret, by HTTP Basic or in the body (RFC 6749 §2.3.1), or an assertion (RFC 7523 §2.2).
 *
 * @throws OAuthFault invalid_request where two ways are used, invalid_client where none is
 */
export function clientCredentials(
  authorization: string | undefined,
  body: BodyCredentials,
): ClientCredentials {
  const { client_assertion: assertion, client_assertion_type: type } = body;
  if (assertion === undefined && type === undefined) return secretOf(authorization, body);
  if (authorization !== undefined || body.client_secret !== undefined)
    throw badRequest(createText('access.secretAndAssertion'));
  if (assertion === undefined || type !== assertionType)
    throw badRequest(createText('access.assertionTypeRequired', { type: assertionType }));
  const clientId = subjectOf(assertion);
  // RFC 7521 §4.2
  if (body.client_id !== undefined && body.client_id !== clientId)
    throw unknownClient(createText('access.assertionOtherClientId'));
  return { clientId, assertion };
}

function subjectOf(assertion: string): string {
  try {
    const { sub } = decodeJwt(assertion);
    if (typeof sub === 'string') return sub;
  } catch (cause) {
    throw unknownClient(createText('access.assertionUnsigned'), cause);
  }
  throw unknownClient(createText('access.assertionIssuer'));
}

function badRequest(text: ErrorText): OAuthFault {
  return new OAuthFault('invalid_request', { code: 'FIELD_INVALID', text });
}

function secretOf(authorization: string | undefined, body: BodyCredentials): ClientSecret {
  const { client_id: clientId, client_secret: clientSecret } = body;
  if (authorization !== undefined) {
    const basic = readBasic(authorization);
    // §2.3: not more than one way in a request. A client id alone only repeats itself.
    if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
      throw badRequest(createText('access.basicAndBody'));
    }
    return basic;
  }
  if (clientId === undefined || clientSecret === undefined)
    throw unknownClient(createText('access.clientProofRequired'));
  return { clientId, clientSecret };
}

export function unknownClient(text: ErrorText, cause?: unknown): OAuthFault {
  return new OAuthFault('invalid_client', { code: 'UNAUTHENTICATED', text, cause });
}

function readBasic(authorization: string): ClientSecret {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1];
  const text = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(text ?? '') ?? [];
  if (!id || !secret) throw unknownClient(createText('access.basicMalformed'));
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
