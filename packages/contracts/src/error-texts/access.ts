/** Why a caller is not let in, or gets no token. */
export const accessTexts = {
  'The header "Authorization: Bearer <access token>" is required':
    'Se requiere la cabecera "Authorization: Bearer <token de acceso>"',
  'The Authorization header must be "Bearer" and a token':
    'La cabecera Authorization debe ser "Bearer" y un token',
  'The Authorization header must be "Basic" and client id and secret in base64':
    'La cabecera Authorization debe ser "Basic" y el identificador y el secreto del cliente en base64',
  'The access token has expired': 'El token de acceso ha caducado',
  'The access token is not valid or has expired': 'El token de acceso no es válido o ha caducado',
  'The access token has ended because a right was taken away: ask for a new one':
    'El token de acceso dejó de valer porque se retiró un permiso: solicite uno nuevo',
  'The token is unknown, revoked or expired': 'El token no se conoce, fue revocado o ha caducado',
  'The token lacks the scope "{scope}"': 'Al token le falta el alcance (scope) "{scope}"',
  'Sign in: a valid operator token is required': 'Inicie sesión: se requiere un token de operador válido',
  'The client is unknown or its secret is wrong': 'El cliente no se conoce o su secreto no es correcto',
  'Client id and secret, or an assertion, are required':
    'Se requieren el identificador y el secreto del cliente, o una aserción',
  'The client must authenticate either by a secret or by an assertion, not by both':
    'El cliente debe autenticarse con un secreto o con una aserción, no con ambos',
  'The client must authenticate either by HTTP Basic or in the body, not by both':
    'El cliente debe autenticarse por HTTP Basic o en el cuerpo, no de ambas formas',
  'client_assertion goes with the client_assertion_type {type}':
    'client_assertion se envía junto con el client_assertion_type {type}',
  'The assertion must be a signed JWT': 'La aserción debe ser un JWT firmado',
  'The typ of the assertion must be JWT': 'El typ de la aserción debe ser JWT',
  'The assertion must have iss, sub, aud (one text, no list), exp and jti':
    'La aserción debe tener iss, sub, aud (un texto, no una lista), exp y jti',
  'iss and sub of the assertion must both be the client id':
    'iss y sub de la aserción deben ser el identificador del cliente',
  'aud of the assertion must be one of: {values}': 'aud de la aserción debe ser uno de: {values}',
  'exp of the assertion must be at most {count} seconds ahead':
    'exp de la aserción debe estar como máximo {count} segundos en el futuro',
  'iat of the assertion is in the future': 'iat de la aserción está en el futuro',
  'The assertion has expired': 'La aserción ha caducado',
  'The assertion is of another client': 'La aserción es de otro cliente',
  'The assertion is of another client than client_id says':
    'La aserción es de otro cliente que el de client_id',
  'The assertion names another client than client_id does': 'La aserción nombra a otro cliente que client_id',
  'An assertion with this jti was used before; each is good for one token':
    'Ya se usó una aserción con este jti; cada una vale para un solo token',
  'The client is unknown, or none of its keys has signed the assertion':
    'El cliente no se conoce, o ninguna de sus claves firmó la aserción',
} as const;
