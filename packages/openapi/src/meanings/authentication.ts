import type { Meaning } from './meaning.ts';

/** Tokens and what the authorization server says of itself. */
export const authenticationMeanings = {
  grant_type: ['Always `client_credentials`', 'Siempre `client_credentials`'],
  client_id: [
    'Unless sent by HTTP Basic, or named by the assertion',
    'Salvo que vaya por HTTP Basic o en la aserción',
  ],
  client_secret: [
    'Unless sent by HTTP Basic, or replaced by an assertion',
    'Salvo que vaya por HTTP Basic o la reemplace una aserción',
  ],
  client_assertion: [
    'Instead of a secret (RFC 7523): a JWT signed by a key of the partner, used once',
    'En lugar del secreto (RFC 7523): un JWT firmado con una clave del tercero, de un solo uso. iss y sub: el client id; aud: emisor o dirección de tokens; exp: cinco minutos como máximo; jti',
  ],
  client_assertion_type: [
    'With an assertion: urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    'Con una aserción: urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  ],
  scope: ['Scopes of the token, divided by spaces', 'Alcances del token, separados por espacios'],
  'TokenRequest.scope': [
    'Space-separated; all scopes of the client when absent',
    'Separados por espacios; si falta, todos los alcances del cliente',
  ],
  access_token: [
    'Signed JWT (RFC 9068), for the header `Authorization: Bearer`',
    'JWT firmado (RFC 9068), para la cabecera `Authorization: Bearer`',
  ],
  token_type: ['Always `Bearer`', 'Siempre `Bearer`'],
  expires_in: ['Seconds that the token is valid', 'Segundos de validez del token'],
  error_description: ['What is wrong, in words', 'Qué está mal, en palabras'],
  issuer: ['Issuer of the tokens', 'Emisor de los tokens'],
  token_endpoint: ['Where tokens are asked for', 'Dónde se piden los tokens'],
  jwks_uri: [
    'Public keys that access tokens are signed with',
    'Claves públicas con las que se firman los tokens',
  ],
  service_documentation: ['This documentation', 'Esta documentación'],
  scopes_supported: ['Scopes that exist', 'Alcances que existen'],
  grant_types_supported: ['`client_credentials` alone', 'Solo `client_credentials`'],
  response_types_supported: [
    'None: there is no authorization endpoint',
    'Ninguno: no hay punto de autorización',
  ],
  token_endpoint_auth_methods_supported: [
    'How a client may prove who it is',
    'Cómo puede un cliente probar quién es',
  ],
  token_endpoint_auth_signing_alg_values_supported: [
    'Algorithms of assertions',
    'Algoritmos de las aserciones',
  ],
  access_token_signing_alg_values_supported: [
    'Algorithms of the access tokens; not in RFC 8414, which allows more members',
    'Algoritmos de los tokens; no está en RFC 8414, que admite más campos',
  ],
} as const satisfies Readonly<Record<string, Meaning>>;
