import { defineTexts } from './define-texts.ts';

/** Refusals of callers and of requests for tokens. */
export const accessTexts = defineTexts({
  'access.bearerRequired': {
    en: 'The header "Authorization: Bearer <access token>" is required',
    es: 'Se requiere la cabecera "Authorization: Bearer <token de acceso>"',
  },
  'access.bearerMalformed': {
    en: 'The Authorization header must be "Bearer" and a token',
    es: 'La cabecera Authorization debe ser "Bearer" y un token',
  },
  'access.basicMalformed': {
    en: 'The Authorization header must be "Basic" and client id and secret in base64',
    es: 'La cabecera Authorization debe ser "Basic" y el identificador y el secreto del cliente en base64',
  },
  'access.tokenExpired': {
    en: 'The access token has expired',
    es: 'El token de acceso ha caducado',
  },
  'access.tokenInvalid': {
    en: 'The access token is not valid or has expired',
    es: 'El token de acceso no es válido o ha caducado',
  },
  'access.tokenEnded': {
    en: 'The access token has ended because a right was taken away: ask for a new one',
    es: 'El token de acceso dejó de valer porque se retiró un permiso: solicite uno nuevo',
  },
  'access.tokenUnknown': {
    en: 'The token is unknown, revoked or expired',
    es: 'El token no se conoce, fue revocado o ha caducado',
  },
  'access.scopeMissing': {
    en: 'The token lacks the scope "{scope}"',
    es: 'Al token le falta el alcance (scope) "{scope}"',
  },
  'access.operatorTokenRequired': {
    en: 'Sign in: a valid operator token is required',
    es: 'Inicie sesión: se requiere un token de operador válido',
  },
  'access.clientRefused': {
    en: 'The client is unknown or its secret is wrong',
    es: 'El cliente no se conoce o su secreto no es correcto',
  },
  'access.clientProofRequired': {
    en: 'Client id and secret, or an assertion, are required',
    es: 'Se requieren el identificador y el secreto del cliente, o una aserción',
  },
  'access.secretAndAssertion': {
    en: 'The client must authenticate either by a secret or by an assertion, not by both',
    es: 'El cliente debe autenticarse con un secreto o con una aserción, no con ambos',
  },
  'access.basicAndBody': {
    en: 'The client must authenticate either by HTTP Basic or in the body, not by both',
    es: 'El cliente debe autenticarse por HTTP Basic o en el cuerpo, no de ambas formas',
  },
  'access.assertionTypeRequired': {
    en: 'client_assertion goes with the client_assertion_type {type}',
    es: 'client_assertion se envía junto con el client_assertion_type {type}',
  },
  'access.assertionUnsigned': {
    en: 'The assertion must be a signed JWT',
    es: 'La aserción debe ser un JWT firmado',
  },
  'access.assertionTyp': {
    en: 'The typ of the assertion must be JWT',
    es: 'El typ de la aserción debe ser JWT',
  },
  'access.assertionClaims': {
    en: 'The assertion must have iss, sub, aud (one text, no list), exp and jti',
    es: 'La aserción debe tener iss, sub, aud (un texto, no una lista), exp y jti',
  },
  'access.assertionIssuer': {
    en: 'iss and sub of the assertion must both be the client id',
    es: 'iss y sub de la aserción deben ser el identificador del cliente',
  },
  'access.assertionAudience': {
    en: 'aud of the assertion must be one of: {values}',
    es: 'aud de la aserción debe ser uno de: {values}',
  },
  'access.assertionTooLong': {
    en: 'exp of the assertion must be at most {count} seconds ahead',
    es: 'exp de la aserción debe estar como máximo {count} segundos en el futuro',
  },
  'access.assertionIssuedAhead': {
    en: 'iat of the assertion is in the future',
    es: 'iat de la aserción está en el futuro',
  },
  'access.assertionExpired': {
    en: 'The assertion has expired',
    es: 'La aserción ha caducado',
  },
  'access.assertionOtherClient': {
    en: 'The assertion is of another client',
    es: 'La aserción es de otro cliente',
  },
  'access.assertionOtherClientId': {
    en: 'The assertion is of another client than client_id says',
    es: 'La aserción es de otro cliente que el de client_id',
  },
  'access.assertionNamesOther': {
    en: 'The assertion names another client than client_id does',
    es: 'La aserción nombra a otro cliente que client_id',
  },
  'access.assertionRepeated': {
    en: 'An assertion with this jti was used before; each is good for one token',
    es: 'Ya se usó una aserción con este jti; cada una vale para un solo token',
  },
  'access.assertionKeyUnknown': {
    en: 'The client is unknown, or none of its keys has signed the assertion',
    es: 'El cliente no se conoce, o ninguna de sus claves firmó la aserción',
  },
});
