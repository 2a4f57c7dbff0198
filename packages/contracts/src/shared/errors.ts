import { z } from 'zod';
import { errorTextSchema } from '../error-texts/error-text.ts';

/** Representation of one code on every surface: REST status, tRPC code, actions of the caller, texts for people. */
export interface ErrorDefinition {
  readonly http: 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 429 | 500 | 503;
  readonly trpc:
    | 'BAD_REQUEST'
    | 'UNAUTHORIZED'
    | 'FORBIDDEN'
    | 'NOT_FOUND'
    | 'METHOD_NOT_SUPPORTED'
    | 'CONFLICT'
    | 'PRECONDITION_FAILED'
    | 'PAYLOAD_TOO_LARGE'
    | 'UNSUPPORTED_MEDIA_TYPE'
    | 'TOO_MANY_REQUESTS'
    | 'SERVICE_UNAVAILABLE'
    | 'INTERNAL_SERVER_ERROR';
  /** The applicant's data can be corrected and the step run again. */
  readonly correctable: boolean;
  /** A repeat of the call, or a rerun of the same step, may succeed later. */
  readonly retryable: boolean;
  readonly en: string;
  readonly es: string;
}

type Flags = Partial<Pick<ErrorDefinition, 'correctable' | 'retryable'>>;
type Texts = readonly [en: string, es: string];

function define(http: ErrorDefinition['http'], trpc: ErrorDefinition['trpc']) {
  return ([en, es]: Texts, flags: Flags = {}): ErrorDefinition => ({
    http,
    trpc,
    correctable: flags.correctable ?? false,
    retryable: flags.retryable ?? false,
    en,
    es,
  });
}

const badRequest = define(400, 'BAD_REQUEST');
const unauthorized = define(401, 'UNAUTHORIZED');
const forbidden = define(403, 'FORBIDDEN');
const notFound = define(404, 'NOT_FOUND');
const conflict = define(409, 'CONFLICT');
const precondition = define(412, 'PRECONDITION_FAILED');
const tooLarge = define(413, 'PAYLOAD_TOO_LARGE');
const tooMany = define(429, 'TOO_MANY_REQUESTS');
const unavailable = define(503, 'SERVICE_UNAVAILABLE');
const internal = define(500, 'INTERNAL_SERVER_ERROR');

const correctable = { correctable: true } as const;
const retryable = { retryable: true } as const;

/** Closed catalogue: an unlisted code cannot be thrown, and an incomplete row does not compile. */
export const errorCatalogue = {
  // Registration
  DUPLICATED_REFERENCE_TRANSACTION: conflict([
    'A request with this referenceTransaction already exists',
    'Ya existe una solicitud con este referenceTransaction',
  ]),
  QUOTA_EXCEEDED: tooMany(
    ['The quota of requests is used up', 'El cupo de solicitudes está agotado'],
    retryable,
  ),
  FIELD_REQUIRED: badRequest(['A required field is missing', 'Falta un campo obligatorio'], correctable),
  FIELD_INVALID: badRequest(
    ['A field has an invalid value', 'Un campo tiene un valor no válido'],
    correctable,
  ),
  INVALID_PERIOD: badRequest(['The period is not allowed', 'El período no está permitido'], correctable),
  INVALID_APPLICATION_TYPE: badRequest(
    ['The applicationType is not allowed', 'El applicationType no está permitido'],
    correctable,
  ),
  INVALID_DOCUMENT_TYPE: badRequest(
    ['The documentType is not allowed', 'El documentType no está permitido'],
    correctable,
  ),
  INVALID_CERTIFICATE_TYPE: badRequest(
    ['The certificateType is not allowed', 'El certificateType no está permitido'],
    correctable,
  ),
  INVALID_TERMS_TYPE: badRequest(
    [
      'The type of terms is not one of the allowed values',
      'El tipo de términos no es uno de los valores permitidos',
    ],
    correctable,
  ),
  PASSWORD_REQUIRED: badRequest(
    [
      'password is required for a traditional signature unless the one-time-password configuration was agreed',
      'password es obligatorio para una firma tradicional, salvo que se haya acordado la configuración de contraseña de un solo uso',
    ],
    correctable,
  ),
  COMPANY_DATA_REQUIRED: badRequest(
    [
      'Company data is required for a legal representative',
      'Se requieren los datos de la empresa para un representante legal',
    ],
    correctable,
  ),
  APPOINTMENT_EXPIRED: badRequest(
    ['The appointment has already expired', 'El nombramiento ya está caducado'],
    correctable,
  ),
  CALLBACK_URL_NOT_ALLOWED: badRequest(
    ['callbackUrl must be a public https address', 'callbackUrl debe ser una dirección https pública'],
    correctable,
  ),
  TERMS_NOT_ACCEPTED: precondition(
    ['The terms and conditions have not been accepted', 'Los términos y condiciones no han sido aceptados'],
    correctable,
  ),
  TERMS_OUTDATED: precondition(
    ['The accepted terms are no longer the active ones', 'Los términos aceptados ya no son los vigentes'],
    correctable,
  ),
  NO_ACTIVE_TERMS: precondition([
    'There are no active terms and conditions of this type',
    'No existen términos y condiciones activos de este tipo',
  ]),
  FILE_TOO_LARGE: tooLarge(
    ['A file is larger than allowed', 'Un archivo supera el tamaño permitido'],
    correctable,
  ),
  FILE_TYPE_NOT_ALLOWED: badRequest(
    ['A file is of a type that is not allowed', 'Un archivo es de un tipo no permitido'],
    correctable,
  ),
  AUTHORIZATION_VIDEO_REQUIRED: precondition(
    [
      'authorizationVideo is required for applicants aged 65 or more',
      'authorizationVideo es obligatorio para solicitantes de 65 años o más',
    ],
    correctable,
  ),
  IDENTITY_CERTIFICATE_FLAG_REQUIRED: precondition(
    [
      'isIdentityCertificate must be true when an identity image is an identity certificate',
      'isIdentityCertificate debe ser true cuando una imagen es un certificado de identidad',
    ],
    correctable,
  ),
  COMPANY_RUC_DOCUMENT_REQUIRED: precondition(
    ['pdfCompanyRuc is required with companyRuc', 'pdfCompanyRuc es obligatorio con companyRuc'],
    correctable,
  ),
  COMPANY_DOCUMENT_REQUIRED: precondition(
    ['A company field or document is missing', 'Falta un campo o documento de la empresa'],
    correctable,
  ),
  FIELD_NOT_CORRECTABLE: badRequest(
    [
      'This field cannot be corrected in the present state',
      'Este campo no se puede corregir en el estado actual',
    ],
    correctable,
  ),
  BODY_MALFORMED: badRequest(
    ['The body is not well-formed JSON', 'El cuerpo no es un JSON bien formado'],
    correctable,
  ),
  BODY_TOO_LARGE: tooLarge(
    ['The body is larger than allowed', 'El cuerpo supera el tamaño permitido'],
    correctable,
  ),
  METHOD_NOT_ALLOWED: define(
    405,
    'METHOD_NOT_SUPPORTED',
  )(['This method is not allowed here', 'Este método no está permitido aquí']),
  UNSUPPORTED_MEDIA_TYPE: define(
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  )(['The body must be sent as application/json', 'El cuerpo debe enviarse como application/json']),

  // Identity
  IDENTIFICATION_NUMBER_INVALID: badRequest(
    ['The identification number is not valid', 'El número de identificación no es válido'],
    correctable,
  ),
  IDENTIFICATION_NOT_FOUND: precondition(
    [
      'The identification number was not found in the registry',
      'El número de identificación no consta en el registro',
    ],
    retryable,
  ),
  FINGER_CODE_MISMATCH: precondition(
    ['The fingerprint code does not match the registry', 'El código dactilar no coincide con el registro'],
    correctable,
  ),
  NAME_MISMATCH: precondition(
    ['The names do not match the registry', 'Los nombres no coinciden con el registro'],
    correctable,
  ),
  APPLICANT_UNDERAGE: precondition(['The applicant is under age', 'El solicitante es menor de edad']),
  APPLICANT_DECEASED: precondition([
    'The registry reports the applicant as deceased',
    'El registro indica que el solicitante ha fallecido',
  ]),
  DOCUMENT_ILLEGIBLE: precondition(
    ['The identity document cannot be read', 'El documento de identidad no es legible'],
    correctable,
  ),
  SELFIE_MISMATCH: precondition(
    [
      'The selfie does not match the identity document',
      'La selfie no coincide con el documento de identidad',
    ],
    correctable,
  ),
  RUC_INVALID: badRequest(['The RUC is not valid', 'El RUC no es válido'], correctable),
  RUC_INACTIVE: precondition(['The RUC is not active', 'El RUC no está activo'], retryable),
  REPRESENTATIVE_NOT_CONFIRMED: precondition(
    [
      'The registry does not confirm the applicant as representative of the company',
      'El registro no confirma al solicitante como representante de la empresa',
    ],
    retryable,
  ),
  EVIDENCE_INVALID: badRequest(
    [
      'An evidence cannot be decoded or is of a type that is not allowed',
      'Una evidencia no se puede decodificar o es de un tipo no permitido',
    ],
    correctable,
  ),
  EVIDENCE_MISSING: badRequest(['An evidence is missing', 'Falta una evidencia'], correctable),
  REVIEW_REJECTED: precondition(['The review rejected the request', 'La revisión rechazó la solicitud']),
  APPLICANT_DISPUTED: precondition([
    'The person who received the link says that they did not ask for this certificate',
    'La persona que recibió el enlace indica que no solicitó este certificado',
  ]),
  APPLICANT_DATA_WRONG: precondition(
    ['The applicant says that the data are wrong', 'El solicitante indica que los datos no son correctos'],
    correctable,
  ),

  // Liveness
  LIVENESS_FAILED: precondition(
    ['The liveness check was not passed', 'No se superó la prueba de vida'],
    retryable,
  ),
  LIVENESS_SESSION_EXPIRED: conflict(
    ['The liveness session has expired', 'La sesión de prueba de vida ha caducado'],
    retryable,
  ),
  LIVENESS_ATTEMPTS_EXCEEDED: conflict([
    'The liveness attempts have been used up',
    'Se agotaron los intentos de prueba de vida',
  ]),

  // Generation and operation
  EXTERNAL_SERVICE_UNAVAILABLE: unavailable(
    ['An external service does not answer', 'Un servicio externo no responde'],
    retryable,
  ),
  KEY_GENERATION_FAILED: unavailable(['The key could not be made', 'No se pudo generar la clave'], retryable),
  CERTIFICATE_LINT_FAILED: unavailable(
    [
      'The certificate did not pass its checks and was not signed',
      'El certificado no superó las comprobaciones y no fue firmado',
    ],
    { correctable: true, retryable: true },
  ),
  CERTIFICATE_SIGNING_FAILED: unavailable(
    ['The certificate could not be signed', 'No se pudo firmar el certificado'],
    retryable,
  ),
  P12_PACKAGING_FAILED: unavailable(
    ['The PKCS#12 file could not be made', 'No se pudo crear el archivo PKCS#12'],
    retryable,
  ),
  RETRY_LIMIT_EXCEEDED: conflict([
    'The retry limit of 2 attempts was reached and the request was rejected',
    'Se alcanzó el límite de 2 reintentos y la solicitud fue rechazada',
  ]),
  REQUEST_STATE_NOT_ALLOWED: conflict([
    'The request is in a state that does not allow this operation',
    'La solicitud está en un estado que no permite esta operación',
  ]),
  REQUEST_NOT_FOUND: notFound(['The request was not found', 'La solicitud no fue encontrada']),
  CERTIFICATE_NOT_FOUND: notFound(['The certificate was not found', 'El certificado no fue encontrado']),
  CERTIFICATE_ALREADY_REVOKED: conflict([
    'The certificate is already revoked',
    'El certificado ya está revocado',
  ]),
  RENEWAL_NOT_OPEN: conflict([
    'The certificate can be renewed from 60 days before its end to 60 days after it',
    'El certificado se puede renovar desde 60 días antes de su fin hasta 60 días después',
  ]),
  OTP_INVALID: badRequest(['The code is not correct', 'El código no es correcto'], correctable),
  OTP_EXPIRED: conflict(['The code has expired', 'El código ha caducado'], retryable),
  OTP_ATTEMPTS_EXCEEDED: tooMany(['Too many codes were tried', 'Se probaron demasiados códigos'], retryable),
  PAYLOAD_EXPIRED: conflict([
    'The content of this event was deleted at the end of its retention',
    'El contenido de este evento fue eliminado al terminar su retención',
  ]),
  CLAIM_LINK_INVALID: notFound(['The link is not valid', 'El enlace no es válido']),
  CLAIM_LINK_EXPIRED: conflict(['The link has expired', 'El enlace ha caducado']),
  RESEND_LIMIT_EXCEEDED: conflict([
    'The link has been sent as often as is allowed',
    'El enlace ya se envió el máximo de veces permitido',
  ]),
  UNAUTHENTICATED: unauthorized([
    'A valid bearer token is required',
    'Se requiere un token de acceso válido',
  ]),
  FORBIDDEN: forbidden(['The token does not allow this operation', 'El token no permite esta operación']),
  SECOND_ADMINISTRATOR_NEEDED: conflict([
    'A second administrator must approve this change, and none is enabled',
    'Un segundo administrador debe aprobar este cambio y no hay ninguno habilitado',
  ]),
  REVIEW_CHANGED: conflict([
    'The request has changed since it was shown to you: look at its present data and decide on them',
    'La solicitud cambió desde que usted la vio: revise sus datos actuales y decida sobre ellos',
  ]),
  FRESH_PROOF_NEEDED: forbidden([
    'This changes what you sign in with: give your present password, or sign in again if you have none',
    'Esto cambia con qué ingresa usted: escriba su contraseña actual o, si no tiene, ingrese de nuevo',
  ]),
  CODES_LOCKED: forbidden([
    'Too many wrong one-time codes: sign in with a passkey or a recovery code, or ask an administrator to reset your factors',
    'Demasiados códigos de un solo uso incorrectos: ingrese con una llave de acceso o un código de recuperación, o pida a un administrador que restablezca sus factores',
  ]),
  PASSKEY_NEEDED: forbidden([
    'You have a passkey: this has to be confirmed by it',
    'Usted tiene una llave de acceso: debe confirmarlo con ella',
  ]),
  ROUTE_NOT_FOUND: notFound(['There is nothing at this address', 'No existe nada en esta dirección']),
  RATE_LIMITED: tooMany(
    ['Too many requests; try again later', 'Demasiadas peticiones; intente más tarde'],
    retryable,
  ),
  SERVICE_UNAVAILABLE: unavailable(
    [
      'The service is temporarily unavailable; try again',
      'El servicio no está disponible temporalmente; intente de nuevo',
    ],
    retryable,
  ),
  INTERNAL_ERROR: internal([
    'An unexpected error occurred; quote the traceId to support',
    'Ocurrió un error inesperado; indique el traceId a soporte',
  ]),
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorCatalogue;

export const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]];
/** Open list: partners are told that codes are added, and to use the HTTP status of a code that they do not know. */
export const errorCodeSchema = z.enum(errorCodes).meta({ id: 'ErrorCode', 'x-extensible-enum': true });

/** One fault of a body, or one reason of an error, as the edge answers it, with the field and the possible actions. */
export const answeredDetailSchema = z.object({
  code: errorCodeSchema,
  field: z.string().max(200).optional(),
  message: z.string().max(1000),
  correctable: z.boolean(),
  retryable: z.boolean(),
});

/** Detail between services: the edge renders `text` in the reader's language; `message` is its English rendering. */
export const errorDetailSchema = answeredDetailSchema.extend({ text: errorTextSchema.optional() });
export type ErrorDetail = z.infer<typeof errorDetailSchema>;

/** Error object of every answer that is not 2xx. `timestamp`: `yyyy-MM-dd HH:mm:ss` in the service's time zone. */
export const errorObjectSchema = z
  .object({
    timestamp: z.string(),
    status: z.int(),
    error: z
      .string()
      .describe('Reason phrase of the status; on the token endpoint the code of RFC 6749 §5.2'),
    message: z.string(),
    path: z.string(),
    code: errorCodeSchema,
    messages: z.array(z.string()),
    errors: z.array(answeredDetailSchema),
    traceId: z.string(),
    docUrl: z.url().describe('Documentation page of `code`, with its cause and remedy'),
  })
  .meta({ id: 'Error' });
export type ErrorObject = z.infer<typeof errorObjectSchema>;
