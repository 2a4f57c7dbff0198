import type { Language } from '../language.ts';
import type { Operation } from '../openapi-document.ts';

interface OperationText {
  readonly summary: string;
  readonly description?: string;
}

const dryRunDescription =
  'Hace todas las validaciones del registro y no guarda nada: no se envía ningún evento, no se usa cupo y la referencia queda libre. Un registro que se rechazaría recibe el mismo error. Advierte de lo que un registro ignora, por ejemplo un campo mal escrito. `?dryRun=true` en la dirección del registro da la misma respuesta.';

/** Texts of the operations in Spanish, by id. The document has the English ones. A test finds missing texts. */
export const spanishOperations: Readonly<Record<string, OperationText>> = {
  advanceClock: {
    summary: 'Adelantar el reloj de una solicitud',
    description:
      'Adelanta el presente de una solicitud, para probar plazos de retiro, caducidad, descargas y conservación. Todo lo que vence ocurre enseguida. Los plazos en días y las 24 horas del flujo por API usan este reloj; los códigos, las sesiones, los reintentos de webhooks, los cupos y los datos firmados no.',
  },
  registerLinkedPartner: {
    summary: 'Registrar una solicitud de firma tradicional o transaccional',
    description:
      'Responde 200 de dos formas: `REGISTERED`, o `ERROR` con `errors` si no se pudo aceptar una evidencia. Ambas consumen el referenceTransaction.',
  },
  registerLinkedPartnerBatch: {
    summary: 'Registrar muchas solicitudes de una vez',
    description:
      'Acepta hasta 10.000 líneas, cada una con el cuerpo de un registro. Cada línea se acepta o se rechaza de forma independiente y se responde con una línea, en el mismo orden. Las líneas que exceden el límite de llamadas esperan. Si el cuerpo termina antes de tiempo, las líneas ya leídas quedan registradas; enviadas de nuevo, responden 409.',
  },
  listRequests: {
    summary: 'Listar las solicitudes de todas las familias, de la más reciente a la más antigua',
    description:
      'Los filtros se combinan. Pida la página siguiente con `nextCursor` hasta que sea `null`; las solicitudes que se registran entretanto no desplazan las páginas.',
  },
  listCertificates: {
    summary: 'Listar los certificados, del más reciente al más antiguo',
    description: 'Para encontrar los que están por caducar, use `status=VALID` y `notAfterTo`.',
  },
  listEvents: {
    summary: 'Listar los eventos de webhook y sus resultados, del más reciente al más antiguo',
    description:
      'Los eventos `PENDING` se siguen intentando; los `FAILED`, no. Para obtener el archivo de un evento fallido, reenvíelo antes de que se borre su contenido.',
  },
  readEvent: {
    summary: 'Obtener un evento de webhook con sus intentos y su cuerpo',
    description:
      'Muestra lo que se envió al receptor y cómo respondió, pero nunca el archivo ni la contraseña.',
  },
  resendEvent: {
    summary: 'Reenviar un evento de webhook',
    description:
      'Envía el evento enseguida y, si falla, lo repite con el calendario completo. El id y el cuerpo no cambian. 409 si su contenido ya fue borrado.',
  },
  recoverEvents: {
    summary: 'Reenviar todos los eventos de webhook fallidos',
    description:
      '`resent` cuenta los eventos que se reenvían, `expired` aquellos cuyo contenido fue borrado. Los eventos de un destino desactivado esperan hasta que se active; lo activa un evento de prueba que el destino confirme. Como máximo seis llamadas por minuto.',
  },
  testEvent: {
    summary: 'Enviar un evento de ejemplo firmado a un receptor',
    description:
      'Envía el evento enseguida y una sola vez, con las reglas de los eventos reales. Como máximo 10 llamadas por minuto.',
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
    summary: 'Obtener los resultados de las solicitudes de un mes',
    description:
      'Todas las cifras cuentan las solicitudes registradas en ese mes, en su estado actual. `used` es la suma de `reserved` e `issued`; `revoked` es una parte de `issued`. `registered` de una familia es la suma de sus resultados y de las solicitudes aún abiertas.',
  },
  retryLinkedPartner: {
    summary: 'Repetir el paso fallido, con correcciones si las hay',
    description:
      'Se permiten dos reintentos; la llamada que los excede responde 200 con el estado `REFUSED`.',
  },
  cancelLinkedPartner: {
    summary: 'Cancelar una solicitud que aún no está en generación',
    description:
      'Destruye enseguida los secretos de la solicitud, como su contraseña. 409 mientras la solicitud está en generación o si ya terminó. Acepta la referencia de una renovación de cualquier familia.',
  },
  resendValidationLink: {
    summary: 'Enviar de nuevo el correo de retiro e invalidar el enlace anterior',
    description:
      'Se aplica a solicitudes que esperan el retiro del solicitante. Se permite cinco veces como máximo, y solo un tiempo después del correo anterior: `Retry-After` del 429 indica cuánto. Acepta la referencia de una renovación de cualquier familia.',
  },
  linkedPartnerStatus: {
    summary: 'Consultar el estado de una solicitud',
    description:
      'Identifique la solicitud por `linkedPartnerRequestId`, por `referenceTransaction` o por ambos. `observation` explica un error y `correctableFields` lista los campos que puede enviar un reintento. Consulte de nuevo después de `Retry-After` segundos, con el `ETag` como `If-None-Match`.',
  },
  registerRegular: {
    summary: 'Registrar una solicitud regular',
    description:
      'La edad que decide si `authorizationVideo` es obligatorio viene del registro de identidad. Si el registro no responde en 2 s, la solicitud se acepta y la regla se aplica durante la validación. El solicitante retira el certificado después de la aprobación.',
  },
  correctRegular: {
    summary: 'Corregir el código dactilar, los datos de contacto o los adjuntos de una solicitud en error',
    description:
      'Acepta solo los campos que nombra `correctableFields` del estado. Solo con el identificador, el paso fallido se repite, si el código del error es reintentable.',
  },
  regularStatus: {
    summary: 'Consultar el estado de una solicitud regular',
    description:
      'Identifique la solicitud por `requestId`, por `referenceTransaction` o por ambos. `observation` explica un error y `correctableFields` lista los campos que puede enviar una corrección. Consulte de nuevo después de `Retry-After` segundos, con el `ETag` como `If-None-Match`.',
  },
  registerTransactional: {
    summary: 'Registrar una solicitud de firma de una semana',
    description:
      'El servicio genera la contraseña, si no se envía, y la entrega con el certificado. Los nombres se comparan con el registro de identidad, y una empresa con el registro tributario.',
  },
  transactionalValidationStatus: {
    summary: 'Consultar el resultado de cada validación',
    description:
      'Cada validación tiene su resultado; una fallida tiene un código. Consulte de nuevo después de `Retry-After` segundos, con el `ETag` como `If-None-Match`.',
  },
  transactionalCertificate: {
    summary: 'Obtener el certificado con su contraseña y los resultados de las validaciones',
    description:
      'Antes de `GENERATED` responde 409. Se puede repetir durante 24 h desde la primera vez, y como máximo 7 días desde la emisión; después responde 404.',
  },
  registerSimplified: {
    summary: 'Registrar una solicitud con datos mínimos',
    description:
      'Los nombres vienen del registro de identidad. El solicitante retira el certificado después de la aprobación.',
  },
  simplifiedStatus: {
    summary: 'Consultar el estado de una solicitud simplificada',
    description:
      'Identifique la solicitud por `simplifiedRequestId`, por `referenceTransaction` o por ambos. Consulte de nuevo después de `Retry-After` segundos, con el `ETag` como `If-None-Match`.',
  },
  cancelSimplified: {
    summary: 'Cancelar una solicitud simplificada que aún no está en generación',
    description:
      'Destruye enseguida los secretos de la solicitud. 409 mientras la solicitud está en generación o si ya terminó.',
  },
  requestSignature: {
    summary: 'Solicitar una firma, paso a paso',
    description:
      'Cada respuesta nombra el siguiente paso; cualquier otro responde 409. Una solicitud que no se completa en 24 horas caduca.',
  },
  validateIdentity: {
    summary: 'Enviar el documento de identidad y una selfie',
    description: 'Permite tres intentos; si falla el último, la solicitud se rechaza.',
  },
  requestLiveness: {
    summary: 'Iniciar una prueba de vida',
    description:
      'Responde la sesión y la dirección de la página donde el solicitante completa la prueba en un celular. Permite tres sesiones; si falla la última, la solicitud se rechaza.',
  },
  checkLiveness: {
    summary: 'Consultar el resultado de una prueba de vida',
    description:
      'Responde enseguida, incluso mientras el solicitante todavía la completa. `nextStep` nombra el siguiente paso.',
  },
  issueSignature: {
    summary: 'Emitir el certificado',
    description:
      'Espera el certificado hasta 10 s. Si la respuesta es `GENERATING`, repita la llamada; repetirla es seguro.',
  },
  signatureRequestStatus: {
    summary: 'Consultar el estado de una solicitud de firma',
    description:
      'Identifique la solicitud por `signatureRequestId`, por `referenceTransaction` o por ambos. Consulte de nuevo después de `Retry-After` segundos, con el `ETag` como `If-None-Match`.',
  },
  revokeCertificate: {
    summary: 'Revocar un certificado de forma definitiva',
    description:
      'Identifique el certificado por `serialNumber`, por `referenceTransaction` o por ambos. El estado muestra la revocación enseguida; OCSP y la CRL, o la CRL delta de una autoridad grande, en un minuto. Un certificado suspendido se puede revocar; repetir la llamada responde 409.',
  },
  renewCertificate: {
    summary: 'Renovar un certificado',
    description:
      'Se permite desde 60 días antes del fin del certificado hasta 60 días después. Registra una solicitud nueva de la misma familia con los datos de la anterior. Los campos que se envían reemplazan los valores anteriores, salvo identificación, nombres, tipos de documento, de solicitante y de certificado, y `companyRuc`. Responde como el registro de la familia, con `renewalOf`. Siempre se genera una clave nueva.',
  },
  activeTerms: {
    summary: 'Obtener los términos vigentes de un tipo',
    description:
      'Responde los términos que el solicitante debe aceptar. Un registro que nombra una versión anterior se rechaza; haga esta llamada antes de cada registro.',
  },
  listProvinces: { summary: 'Provincias' },
  listCities: { summary: 'Ciudades (cantones)' },
  listPeriods: { summary: 'Períodos de validez' },
  listStates: { summary: 'Estados de una solicitud' },
  listTypes: { summary: 'Tipos' },
  listEvidenceTypes: { summary: 'Tipos de evidencia' },
  listValidationErrorCodes: { summary: 'Códigos de error' },
  token: {
    summary: 'Obtener un token de acceso con credenciales de cliente de OAuth 2.0 (RFC 6749 §4.4)',
    description:
      'El cliente se autentica con su secreto, o con una aserción firmada con una de sus claves (`private_key_jwt`, RFC 7523).',
  },
  serverMetadata: {
    summary: 'Obtener los metadatos del punto de tokens (RFC 8414)',
    description:
      'Las bibliotecas leen este documento si solo se configuran con la dirección del servicio. `/.well-known/openid-configuration` responde lo mismo.',
  },
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
  RequestId: 'Identificador de la llamada: el valor de `x-request-id`, o uno generado. Indíquelo a soporte',
  RateLimitLimit:
    'Llamadas por minuto permitidas a este tercero o, en direcciones públicas, a esta dirección. No aparece si no hay límite',
  RateLimitRemaining: 'Llamadas que quedan en este minuto. No aparece si no hay límite',
  RateLimitReset: 'Segundos hasta que se permitan todas otra vez. No aparece si no hay límite',
  QuotaLimit:
    'Solicitudes de este tipo de certificado que el tercero puede registrar en el mes, o en su paquete. No aparece si no hay cupo',
  QuotaRemaining: 'Solicitudes que quedaban después de esta. No aparece si no hay cupo',
  RetryAfter: 'Segundos de espera antes de repetir la llamada',
  AskAgainAfter: 'Segundos hasta que otra llamada sea útil; no aparece en un estado final',
  ETag: 'Versión de la respuesta, para `If-None-Match`',
  CacheControl: 'Tiempo durante el que la respuesta se puede reutilizar sin otra llamada',
  LastModified: 'Momento del último cambio de la respuesta',
  Expires: 'Momento hasta el que la respuesta se puede reutilizar',
  Vary: '`Accept-Language`: la respuesta depende de ella',
  ContentLanguage: 'Idioma de los textos',
  WwwAuthenticate: 'Autenticación requerida (RFC 6750 §3, RFC 6749 §5.2)',
};

/** Headers of deprecated operations. The document has them only while there are such operations. */
export const spanishEndHeaders: Readonly<Record<string, string>> = {
  Deprecation: 'Inicio de la obsolescencia de la operación (RFC 9745)',
  Sunset: 'Momento en que termina la operación (RFC 8594)',
  Link: 'Documentación del reemplazo',
};
