import type { Meaning } from './meaning.ts';

/** Meanings of fields of token requests and of the authorization server's metadata. */
export const authenticationMeanings = {
  grant_type: ['Always `client_credentials`', 'Siempre `client_credentials`'],
  client_id: ['Omit with HTTP Basic or an assertion', 'Se omite con HTTP Basic o con una aserción'],
  client_secret: ['Omit with HTTP Basic or an assertion', 'Se omite con HTTP Basic o con una aserción'],
  client_assertion: [
    'Replaces the secret (RFC 7523): a JWT signed with a key of the partner, valid once',
    'Reemplaza al secreto (RFC 7523): un JWT firmado con una clave del tercero, de un solo uso. iss y sub: el client id; aud: el emisor o la dirección de tokens, como un solo texto; exp: como máximo cinco minutos en el futuro; jti',
  ],
  client_assertion_type: [
    'Required with an assertion: urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    'Obligatorio con una aserción: urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  ],
  scope: ['Scopes of the token, separated by spaces', 'Alcances del token, separados por espacios'],
  'TokenRequest.scope': [
    'Space-separated scopes; default: all scopes of the client',
    'Alcances separados por espacios; si se omite, todos los del cliente',
  ],
  access_token: [
    'Signed JWT (RFC 9068), for the header `Authorization: Bearer`',
    'JWT firmado (RFC 9068), para la cabecera `Authorization: Bearer`',
  ],
  token_type: ['Always `Bearer`', 'Siempre `Bearer`'],
  expires_in: ['Lifetime of the token in seconds', 'Validez del token en segundos'],
  error_description: ['Description of the error', 'Descripción del error'],
  issuer: ['Issuer of the tokens', 'Emisor de los tokens'],
  token_endpoint: ['Address of the token endpoint', 'Dirección del punto de tokens'],
  jwks_uri: [
    'Address of the public keys that verify access tokens',
    'Dirección de las claves públicas con las que se verifican los tokens',
  ],
  service_documentation: ['Address of this documentation', 'Dirección de esta documentación'],
  scopes_supported: ['Supported scopes', 'Alcances admitidos'],
  grant_types_supported: ['Only `client_credentials`', 'Solo `client_credentials`'],
  response_types_supported: [
    'Empty: there is no authorization endpoint',
    'Lista vacía: no hay punto de autorización',
  ],
  token_endpoint_auth_methods_supported: [
    'Methods of client authentication',
    'Métodos de autenticación del cliente',
  ],
  token_endpoint_auth_signing_alg_values_supported: [
    'Algorithms of assertions',
    'Algoritmos de las aserciones',
  ],
  access_token_signing_alg_values_supported: [
    'Algorithms of access tokens; an additional member, which RFC 8414 allows',
    'Algoritmos de los tokens de acceso; un campo adicional, que RFC 8414 permite',
  ],
} as const satisfies Readonly<Record<string, Meaning>>;
