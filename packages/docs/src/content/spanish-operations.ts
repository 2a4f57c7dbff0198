import type { Language } from '../language.ts';
import type { Operation } from '../reference/document.ts';

interface OperationText {
  readonly summary: string;
  readonly description?: string;
}

const dryRunDescription =
  'Se hacen todas las validaciones del registro y no se guarda nada: sin evento, sin gastar cupo, y la referencia queda libre. Lo que se rechazaría se rechaza con el mismo error. Advierte de lo que un registro ignora, como un campo mal escrito. `?dryRun=true` en la dirección del registro responde lo mismo.';

/** Texts of the operations in Spanish, by id. The document has the English ones. A test finds missing texts. */
export const spanishOperations: Readonly<Record<string, OperationText>> = {
  advanceClock: {
    summary: 'Dejar pasar días para una solicitud',
    description:
      'Mueve el presente de una solicitud, para ensayar plazos de retiro, caducidad, descargas y conservación. Lo que vence se hace enseguida. Se miden con él los plazos de días y las 24 horas del flujo por API; los códigos, las sesiones, las repeticiones de webhooks, los cupos y lo que ya se firmó no.',
  },
  registerLinkedPartner: {
    summary: 'Registrar una solicitud de firma tradicional o transaccional',
    description:
      'Responde 200 de dos formas: `REGISTERED`, o `ERROR` con `errors` si una evidencia no se pudo tomar. Ambas usan el referenceTransaction.',
  },
  registerLinkedPartnerBatch: {
    summary: 'Registrar muchas solicitudes de una vez',
    description:
      'Hasta 10.000 líneas, cada una el cuerpo de un registro; cada una se acepta o se rechaza por sí sola y se responde con una línea, en el orden de las líneas. Las líneas que exceden el límite de llamadas esperan. Un cuerpo que termina antes deja lo que se registró: enviadas de nuevo, esas líneas son 409.',
  },
  listRequests: {
    summary: 'Solicitudes de todas las familias, de la más reciente a la más antigua',
    description:
      'Los filtros se combinan. Pida la página siguiente con `nextCursor` hasta que sea `null`; lo que se registra entretanto no desplaza ninguna página.',
  },
  listCertificates: {
    summary: 'Certificados, del más reciente al más antiguo',
    description: 'Los que están por caducar se encuentran con `status=VALID` y `notAfterTo`.',
  },
  listEvents: {
    summary: 'Eventos de webhook y qué fue de ellos, del más reciente al más antiguo',
    description:
      '`PENDING` se sigue intentando, `FAILED` ya no: obtenga su archivo reenviándolo, mientras no se haya borrado su contenido.',
  },
  readEvent: {
    summary: 'Un evento de webhook con sus intentos y su cuerpo',
    description: 'Lo que se envía al receptor y cómo respondió; nunca el archivo ni la contraseña.',
  },
  resendEvent: {
    summary: 'Reenviar un evento de webhook',
    description:
      'Enseguida y, si falla, de nuevo según el calendario desde su inicio. El id y el cuerpo no cambian. 409 si su contenido ya fue borrado.',
  },
  recoverEvents: {
    summary: 'Reenviar todos los eventos de webhook fallidos',
    description:
      '`resent` cuenta los que se reenvían, `expired` aquellos cuyo contenido fue borrado. Los de un destino desactivado esperan hasta que se active: lo activa un evento de prueba que confirme.',
  },
  testEvent: {
    summary: 'Enviar un evento de ejemplo firmado a un receptor',
    description:
      'Se envía una vez, enseguida, según las reglas de los eventos reales. Como máximo 10 por minuto.',
  },
  registerLinkedPartnerDryRun: {
    summary: 'Comprobar un registro de tercero vinculado',
    description: dryRunDescription,
  },
  registerRegularDryRun: { summary: 'Comprobar un registro regular', description: dryRunDescription },
  registerTransactionalDryRun: {
    summary: 'Comprobar un registro transaccional',
    description: dryRunDescription,
  },
  registerSimplifiedDryRun: { summary: 'Comprobar un registro simplificado', description: dryRunDescription },
  renewCertificateDryRun: {
    summary: 'Comprobar la renovación de un certificado',
    description: dryRunDescription,
  },
  usage: {
    summary: 'Qué fue de las solicitudes de un mes',
    description:
      'Todas las cifras son de las solicitudes registradas en ese mes, como están ahora. `used` es `reserved` más `issued`, `revoked` una parte de `issued`; `registered` de una familia es la suma de sus resultados y de lo que sigue abierto.',
  },
  retryLinkedPartner: {
    summary: 'Repetir el paso fallido, con correcciones si las hay',
    description: 'Se permiten dos reintentos; la llamada que los excede responde 200 con estado `REFUSED`.',
  },
  cancelLinkedPartner: {
    summary: 'Cancelar una solicitud que aún no está en generación',
    description: 'Acepta la referencia de una renovación de cualquier familia.',
  },
  resendValidationLink: {
    summary: 'Enviar de nuevo el correo para retirar el certificado; el enlace anterior deja de valer',
    description: 'Acepta la referencia de una renovación de cualquier familia.',
  },
  linkedPartnerStatus: { summary: 'El estado actual de una solicitud' },
  registerRegular: {
    summary: 'Registrar una solicitud regular',
    description:
      'La edad que exige `authorizationVideo` viene del registro de identidad; si no responde en 2 s, la solicitud se acepta y la regla se aplica en la validación. Tras la aprobación, el solicitante retira el certificado.',
  },
  correctRegular: {
    summary: 'Corregir el código dactilar o los adjuntos de una solicitud en error',
    description:
      'Acepta solo los campos que nombra `correctableFields` del estado. Con el identificador solo, el paso fallido se repite, si el código del error es reintentable.',
  },
  regularStatus: { summary: 'El estado actual de una solicitud regular' },
  registerTransactional: { summary: 'Registrar una solicitud de firma de una semana' },
  transactionalValidationStatus: {
    summary: 'Hasta dónde ha llegado la validación, paso a paso',
  },
  transactionalCertificate: {
    summary: 'Obtener el certificado y los resultados de la validación',
    description:
      'Antes de `GENERATED` responde 409. El certificado se entrega durante 24 horas desde la primera vez, y siete días como máximo; después responde 404.',
  },
  registerSimplified: { summary: 'Registrar una solicitud con pocos datos' },
  simplifiedStatus: { summary: 'El estado actual de una solicitud simplificada' },
  cancelSimplified: { summary: 'Cancelar una solicitud que aún no está en generación' },
  requestSignature: {
    summary: 'Pedir una firma, paso a paso',
    description:
      'Cada respuesta nombra el paso que sigue; otro responde 409. Una solicitud que no termina en 24 horas caduca.',
  },
  validateIdentity: {
    summary: 'Mostrar el documento de identidad y una selfie',
    description: 'Tres intentos; el último que falla rechaza la solicitud.',
  },
  requestLiveness: { summary: 'Empezar una prueba de vida' },
  checkLiveness: { summary: 'Preguntar por el resultado de una prueba de vida' },
  issueSignature: {
    summary: 'Emitir el certificado',
    description:
      'Espera hasta 10 s el certificado; si la respuesta es `GENERATING`, se puede preguntar de nuevo. Repetir la llamada es seguro.',
  },
  signatureRequestStatus: { summary: 'El estado actual de una solicitud de firma' },
  revokeCertificate: {
    summary: 'Revocar un certificado para siempre',
    description:
      'Se nombra por `serialNumber`, por `referenceTransaction` o por ambos. El estado lo muestra de inmediato; OCSP y CRL, en menos de un minuto. Repetirlo responde 409.',
  },
  renewCertificate: {
    summary: 'Renovar un certificado',
    description:
      'Desde 60 días antes de su fin hasta 60 días después. Registra una solicitud nueva de la misma familia con los datos de la anterior; lo que se envía los reemplaza, salvo identificación, nombres, tipos de documento, de solicitante y de certificado, y `companyRuc`. Responde como el registro de la familia, con `renewalOf`. Siempre se genera una clave nueva.',
  },
  activeTerms: { summary: 'La única versión vigente de los términos de un tipo' },
  listProvinces: { summary: 'Provincias' },
  listCities: { summary: 'Ciudades (cantones)' },
  listPeriods: { summary: 'Períodos de validez' },
  listStates: { summary: 'Estados de una solicitud' },
  listTypes: { summary: 'Tipos' },
  listEvidenceTypes: { summary: 'Tipos de evidencia' },
  listValidationErrorCodes: { summary: 'Códigos de error' },
  token: {
    summary: 'Pedir un token: credenciales de cliente de OAuth 2.0 (RFC 6749 §4.4)',
    description:
      'El cliente prueba quién es con su secreto, o con una aserción firmada por una de sus claves (`private_key_jwt`, RFC 7523).',
  },
  serverMetadata: { summary: 'Direcciones y capacidades del punto de tokens (RFC 8414)' },
  pkiFile: { summary: 'Un certificado de la autoridad, o una lista de revocación' },
  ocsp: { summary: 'Preguntar por el estado de un certificado (OCSP)' },
  ocspByAddress: { summary: 'Preguntar por el estado de un certificado en la dirección (OCSP por GET)' },
};

export function readOperationText(operation: Operation, language: Language): OperationText {
  const { summary, description } = operation;
  const own = { summary, ...(description === undefined ? {} : { description }) };
  return language === 'es' ? (spanishOperations[operation.operationId] ?? own) : own;
}

/** Names of the groups in Spanish. */
export const spanishTags: Readonly<Record<string, string>> = {
  'Linked partner': 'Tercero vinculado',
  Regular: 'Regular',
  Transactional: 'Transaccional',
  Simplified: 'Simplificada',
  'Terms and conditions': 'Términos y condiciones',
  'API flow': 'Flujo por API',
  Lists: 'Listas',
  Certificates: 'Certificados',
  Usage: 'Consumo',
  'Reference lists': 'Listas de referencia',
  Authentication: 'Autenticación',
  Sandbox: 'Sandbox',
  'Public key infrastructure': 'Infraestructura de clave pública',
};

/** Descriptions of response headers in Spanish, by component. */
export const spanishHeaders: Readonly<Record<string, string>> = {
  RequestId: 'Identificador de la llamada, el de `x-request-id` o uno propio. Indíquelo a soporte',
  RateLimitLimit:
    'Llamadas por minuto permitidas a este tercero o, en direcciones públicas, a esta dirección. No está donde no hay límite',
  RateLimitRemaining: 'Llamadas que quedan en este minuto. No está donde no hay límite',
  RateLimitReset: 'Segundos hasta que se permiten todas otra vez. No está donde no hay límite',
  QuotaLimit:
    'Solicitudes de este tipo de certificado que el tercero puede registrar en el mes, o de su paquete. No aparece donde no hay cupo',
  QuotaRemaining: 'Lo que quedaba después de esta solicitud. No aparece donde no hay cupo',
  RetryAfter: 'Segundos de espera antes de enviar otra vez la llamada',
  AskAgainAfter: 'Segundos hasta que tenga sentido preguntar otra vez; no está en un estado final',
  ETag: 'Versión de la respuesta, para `If-None-Match`',
  CacheControl: 'Cuánto tiempo se puede usar la respuesta sin preguntar otra vez',
  LastModified: 'Desde cuándo la respuesta es como es',
  Expires: 'Hasta cuándo se puede usar la respuesta',
  Vary: '`Accept-Language`: la respuesta depende de ella',
  ContentLanguage: 'Idioma de los textos',
  WwwAuthenticate: 'Cómo autenticarse (RFC 6750 §3, RFC 6749 §5.2)',
};

/** Headers of deprecated operations. The document has them only while there are such operations. */
export const spanishEndHeaders: Readonly<Record<string, string>> = {
  Deprecation: 'Desde cuándo la operación está obsoleta (RFC 9745)',
  Sunset: 'Cuándo termina la operación (RFC 8594)',
  Link: 'Qué usar en lugar de la operación',
};
