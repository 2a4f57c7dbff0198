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
  /** Subject of the assertion, before its signature is verified. */
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
 * Reads client id and secret, by HTTP Basic or in the body (RFC 6749 §2.3.1), or an assertion (RFC 7523 §2.2).
 * @throws OAuthFault invalid_request for two methods at once, invalid_client for none
 */
export function readClientCredentials(
  authorization: string | undefined,
  body: BodyCredentials,
): ClientCredentials {
  const { client_assertion: assertion, client_assertion_type: type } = body;
  if (assertion === undefined && type === undefined) return readSecret(authorization, body);
  if (authorization !== undefined || body.client_secret !== undefined)
    throw createInvalidRequest(createText('access.secretAndAssertion'));
  if (assertion === undefined || type !== assertionType)
    throw createInvalidRequest(createText('access.assertionTypeRequired', { type: assertionType }));
  const clientId = readSubject(assertion);
  // RFC 7521 §4.2
  if (body.client_id !== undefined && body.client_id !== clientId)
    throw createUnknownClient(createText('access.assertionOtherClientId'));
  return { clientId, assertion };
}

function readSubject(assertion: string): string {
  try {
    const { sub } = decodeJwt(assertion);
    if (typeof sub === 'string') return sub;
  } catch (cause) {
    throw createUnknownClient(createText('access.assertionUnsigned'), cause);
  }
  throw createUnknownClient(createText('access.assertionIssuer'));
}

function createInvalidRequest(text: ErrorText): OAuthFault {
  return new OAuthFault('invalid_request', { code: 'FIELD_INVALID', text });
}

function readSecret(authorization: string | undefined, body: BodyCredentials): ClientSecret {
  const { client_id: clientId, client_secret: clientSecret } = body;
  if (authorization !== undefined) {
    const basic = readBasic(authorization);
    // §2.3: one method per request. A client id alone is only a repetition.
    if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
      throw createInvalidRequest(createText('access.basicAndBody'));
    }
    return basic;
  }
  if (clientId === undefined || clientSecret === undefined)
    throw createUnknownClient(createText('access.clientProofRequired'));
  return { clientId, clientSecret };
}

export function createUnknownClient(text: ErrorText, cause?: unknown): OAuthFault {
  return new OAuthFault('invalid_client', { code: 'UNAUTHENTICATED', text, cause });
}

function readBasic(authorization: string): ClientSecret {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1];
  const text = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(text ?? '') ?? [];
  if (!id || !secret) throw createUnknownClient(createText('access.basicMalformed'));
  return { clientId: decodeFormText(id), clientSecret: decodeFormText(secret) };
}

/**
 * Decodes form encoding. RFC 6749 §2.3.1 requires it before base64; most clients omit it, and it does not change our
 * ids and secrets.
 */
function decodeFormText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
