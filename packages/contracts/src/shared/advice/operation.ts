import type { Advice } from './advice.ts';

const ours = {
  en: [
    'A fault on our side while the certificate was made.',
    'Retry; tell support with the `traceId` if it fails again.',
  ],
  es: [
    'Una falla nuestra al crear el certificado.',
    'Reintente; si falla de nuevo, avise a soporte con el `traceId`.',
  ],
} as const satisfies Advice;

export const operationAdvice = {
  EXTERNAL_SERVICE_UNAVAILABLE: {
    en: [
      'A registry did not answer, so a check could not be made.',
      'Nothing is wrong with the data: retry some minutes later.',
    ],
    es: [
      'Un registro no respondió y una validación no se pudo hacer.',
      'Los datos no tienen falla: reintente unos minutos después.',
    ],
  },
  KEY_GENERATION_FAILED: ours,
  CERTIFICATE_LINT_FAILED: {
    en: [
      'The certificate cannot hold a field that `message` names; where it names none, the fault is on our side.',
      'Send the named field in a retry, or register a new request where `correctableFields` does not list it: the same data fail again. Without a named field retry, and tell support with the `traceId`.',
    ],
    es: [
      'El certificado no puede contener un campo que `message` nombra; si no nombra ninguno, la falla es nuestra.',
      'Envíe el campo nombrado en un reintento, o registre una solicitud nueva si `correctableFields` no lo incluye: los mismos datos fallan otra vez. Sin un campo nombrado, reintente y avise a soporte con el `traceId`.',
    ],
  },
  CERTIFICATE_SIGNING_FAILED: ours,
  P12_PACKAGING_FAILED: ours,
  RETRY_LIMIT_EXCEEDED: {
    en: [
      'Both retries were used, and a third was asked for.',
      'The request is refused for good: register a new one.',
    ],
    es: [
      'Se usaron los dos reintentos y se pidió un tercero.',
      'La solicitud queda rechazada: registre una nueva.',
    ],
  },
  REQUEST_STATE_NOT_ALLOWED: {
    en: [
      'The request is in a state in which this cannot be done; `message` names it.',
      'Ask for the status; [states](states) says what is possible where.',
    ],
    es: [
      'La solicitud está en un estado que no lo permite; `message` lo nombra.',
      'Consulte el estado; [estados](states) dice qué se puede hacer en cada uno.',
    ],
  },
  REQUEST_NOT_FOUND: {
    en: [
      'None of your requests has this identifier or reference. Requests of others are answered alike.',
      'Check the identifier, the family, and whose token you use.',
    ],
    es: [
      'Ninguna de sus solicitudes tiene este identificador o referencia. Las de otros se responden igual.',
      'Revise el identificador, la familia y de quién es el token.',
    ],
  },
  RENEWAL_NOT_OPEN: {
    en: [
      'A certificate is renewed from 60 days before its end to 60 days after it; `message` names the day.',
      'Before that day wait; after it register a new request.',
    ],
    es: [
      'Un certificado se renueva desde 60 días antes de su fin hasta 60 días después; `message` nombra el día.',
      'Antes de ese día espere; después registre una solicitud nueva.',
    ],
  },
  CERTIFICATE_NOT_FOUND: {
    en: [
      'There is no such certificate, or its file is no longer kept.',
      'Check the serial number. Files are kept for 7 days at most, 24 hours after the first retrieval.',
    ],
    es: [
      'No existe tal certificado, o su archivo ya no se guarda.',
      'Revise el número de serie. Los archivos se guardan 7 días como máximo, 24 horas desde la primera entrega.',
    ],
  },
  CERTIFICATE_ALREADY_REVOKED: {
    en: ['The certificate was revoked before.', 'Nothing to do.'],
    es: ['El certificado ya fue revocado.', 'No hay nada que hacer.'],
  },
  OTP_INVALID: {
    en: [
      'The code that the applicant typed is not the one that was sent.',
      'They try again; there are five tries.',
    ],
    es: [
      'El código que escribió el solicitante no es el enviado.',
      'Lo intenta de nuevo; hay cinco intentos.',
    ],
  },
  OTP_EXPIRED: {
    en: ['A code lives five minutes.', 'The applicant asks for a new one.'],
    es: ['Un código vale cinco minutos.', 'El solicitante pide otro.'],
  },
  OTP_ATTEMPTS_EXCEEDED: {
    en: [
      'Five wrong codes, or five codes within an hour.',
      'The applicant waits as long as the page says and asks for a new one.',
    ],
    es: [
      'Cinco códigos equivocados, o cinco códigos en una hora.',
      'El solicitante espera lo que indica la página y pide otro.',
    ],
  },
  PAYLOAD_EXPIRED: {
    en: [
      'What an event carried was deleted at the end of its retention.',
      'It cannot be sent again; the status tells what became of the request.',
    ],
    es: [
      'Lo que llevaba el evento se borró al terminar su retención.',
      'No se puede enviar de nuevo; el estado dice qué pasó con la solicitud.',
    ],
  },
  CLAIM_LINK_INVALID: {
    en: [
      'The link is cut off, or a newer one was sent.',
      'The applicant opens the newest e-mail; you can [send it again](reference/resendValidationLink).',
    ],
    es: [
      'El enlace está incompleto, o se envió uno más reciente.',
      'El solicitante abre el último correo; usted puede [reenviarlo](reference/resendValidationLink).',
    ],
  },
  CLAIM_LINK_EXPIRED: {
    en: ['The 50 days in which the certificate could be claimed are over.', 'Register a new request.'],
    es: ['Pasaron los 50 días para retirar el certificado.', 'Registre una solicitud nueva.'],
  },
  RESEND_LIMIT_EXCEEDED: {
    en: [
      'The claim e-mail was sent again five times.',
      'Ask the applicant for another address; cancel the request and register it anew.',
    ],
    es: [
      'El correo se reenvió cinco veces.',
      'Pida otro correo al solicitante; cancele la solicitud y regístrela de nuevo.',
    ],
  },
  UNAUTHENTICATED: {
    en: [
      'No token, one that has ended or was taken back, or wrong client credentials.',
      'Get a new token from [`POST /oauth/token`](authentication); it lives half an hour.',
    ],
    es: [
      'Sin token, con uno vencido o retirado, o con credenciales equivocadas.',
      'Pida otro token a [`POST /oauth/token`](authentication); vale media hora.',
    ],
  },
  FORBIDDEN: {
    en: [
      'The token is sound but lacks the scope of the operation.',
      'Ask for a token with that scope; if your client does not have it, ask the certification authority.',
    ],
    es: [
      'El token es válido pero no tiene el alcance de la operación.',
      'Pida un token con ese alcance; si su cliente no lo tiene, consulte a la entidad de certificación.',
    ],
  },
  SECOND_ADMINISTRATOR_NEEDED: {
    en: [
      'Operators only: the change takes two administrators and there are fewer.',
      'Invite another administrator.',
    ],
    es: [
      'Solo operadores: el cambio requiere dos administradores y hay menos.',
      'Invite a otro administrador.',
    ],
  },
  REVIEW_CHANGED: {
    en: [
      'Operators only: the data, files or observations of the request changed after `reviews.get` was answered.',
      'Call `reviews.get` again, show its answer, and decide with its `shownSha256`.',
    ],
    es: [
      'Solo operadores: los datos, archivos u observaciones de la solicitud cambiaron después de la respuesta de `reviews.get`.',
      'Llame de nuevo a `reviews.get`, muestre su respuesta y decida con su `shownSha256`.',
    ],
  },
  FRESH_PROOF_NEEDED: {
    en: [
      'Operators only: what one signs in with is changed, and the present password is missing.',
      'Send `currentPassword`. Without a password, sign in again first.',
    ],
    es: [
      'Solo operadores: se cambia aquello con lo que se ingresa, y falta la contraseña actual.',
      'Envíe `currentPassword`. Sin contraseña, ingrese de nuevo antes.',
    ],
  },
  CODES_LOCKED: {
    en: [
      'Operators only: ten one-time codes in a row, or thirty in a day, were wrong after the right password.',
      'Sign in with a passkey or a recovery code; without either, an administrator resets the factors. Change the password if it was not you.',
    ],
    es: [
      'Solo operadores: después de la contraseña correcta hubo diez códigos de un solo uso incorrectos seguidos, o treinta en un día.',
      'Ingrese con una llave de acceso o un código de recuperación; si no los tiene, un administrador restablece los factores. Cambie la contraseña si no fue usted.',
    ],
  },
  PASSKEY_NEEDED: {
    en: ['Operators only: the decision is proved by a passkey.', 'Confirm it with the passkey.'],
    es: [
      'Solo operadores: la decisión se prueba con una llave de acceso.',
      'Confírmela con la llave de acceso.',
    ],
  },
  ROUTE_NOT_FOUND: {
    en: ['There is nothing at this address.', 'Compare it with the [reference](start#operations).'],
    es: ['No hay nada en esta dirección.', 'Compárela con la [referencia](start#operations).'],
  },
  RATE_LIMITED: {
    en: [
      'More calls in a minute than your partner, or your address, may make.',
      'Wait as many seconds as `Retry-After` says; [rate limits](rate-limits) has the figures.',
    ],
    es: [
      'Más llamadas por minuto de las que puede hacer su cuenta o su dirección.',
      'Espere los segundos que indica `Retry-After`; [límites de uso](rate-limits) tiene las cifras.',
    ],
  },
  SERVICE_UNAVAILABLE: {
    en: [
      'A part of the service is restarting or down.',
      'Repeat the call after `Retry-After`. If a registration then answers 409, the first one was taken.',
    ],
    es: [
      'Una parte del servicio se reinicia o no está disponible.',
      'Repita la llamada tras `Retry-After`. Si un registro responde entonces 409, el primero fue aceptado.',
    ],
  },
  INTERNAL_ERROR: {
    en: [
      'A fault on our side.',
      'Quote the `traceId` to support. Ask for the status before you repeat the call.',
    ],
    es: [
      'Una falla nuestra.',
      'Indique el `traceId` a soporte. Consulte el estado antes de repetir la llamada.',
    ],
  },
} as const satisfies Readonly<Record<string, Advice>>;
