import type { Meaning } from './meaning.ts';

const idOfRequest: Meaning = [
  'Identifier of the request, made by the service (UUID v7)',
  'Identificador de la solicitud, creado por el servicio (UUID v7)',
];
const isoInstant: Meaning = [
  'ISO 8601 without zone, with milliseconds, in the time zone of the service',
  'ISO 8601 sin zona, con milisegundos, en la zona horaria del servicio',
];

/** Meanings of fields of answers and events. */
export const answerMeanings = {
  linkedPartnerRequestId: idOfRequest,
  requestId: idOfRequest,
  transactionalRequestId: idOfRequest,
  simplifiedRequestId: idOfRequest,
  signatureRequestId: idOfRequest,
  status: [
    'State of the request; see the page on states',
    'Estado de la solicitud; vea la página de estados',
  ],
  'Error.status': ['HTTP status', 'Estado HTTP'],
  'LivenessCheckResult.status': ['State of the proof of life', 'Estado de la prueba de vida'],
  'RevokedCertificate.status': ['State of the certificate', 'Estado del certificado'],
  'BatchLine.status': [
    'The status of HTTP that the registration would have had by itself',
    'El estado HTTP que habría tenido el registro por sí solo',
  ],
  line: [
    'Number of the line in the batch, from 1; blank lines count',
    'Número de la línea en el lote, desde 1; las líneas en blanco cuentan',
  ],
  retryAfter: [
    'Of 429 and 503: seconds until the line may be sent again',
    'Con 429 y 503: segundos hasta poder enviar la línea otra vez',
  ],
  'BatchLine.body': [
    'What the registration would have been answered by itself',
    'Lo que se habría respondido al registro por sí solo',
  ],
  TRADITIONAL_SIGNATURE: ['Of traditional signatures', 'De firmas tradicionales'],
  TRANSACTIONAL_SIGNATURE: ['Of transactional signatures', 'De firmas transaccionales'],
  TV: ['Of the linked partner', 'Del tercero vinculado'],
  FR: ['Of the regular family', 'De la familia regular'],
  FT: ['Of the transactional family', 'De la familia transaccional'],
  FS: ['Of the simplified family', 'De la familia simplificada'],
  API: ['Of the API flow', 'Del flujo por API'],
  limit: ['Requests over the days of a package', 'Solicitudes en los días de un paquete'],
  from: ['First day of a package', 'Primer día de un paquete'],
  until: ['Last day of a package', 'Último día de un paquete'],
  registered: [
    'All of the following, and those that are still open',
    'Todas las siguientes y las que siguen abiertas',
  ],
  issued: ['With a certificate', 'Con certificado'],
  refused: ['Refused', 'Rechazadas'],
  cancelled: ['Cancelled', 'Canceladas'],
  expired: ['Ended for want of time', 'Vencidas'],
  'usage.month': [
    'Month of registration, yyyy-MM in the time zone of the service; this one unless given',
    'Mes de registro, yyyy-MM en la zona horaria del servicio; el actual si se omite',
  ],
  'Usage.month': ['Month of registration', 'Mes de registro'],
  'Usage.quota': [
    'As it is set now, by certificate type; null: none',
    'Como está fijado ahora, por tipo de certificado; null: sin cupo',
  ],
  'Usage.used': [
    '`reserved` and `issued` together: what counts against a quota',
    '`reserved` más `issued`: lo que cuenta contra un cupo',
  ],
  'Usage.reserved': ['Still open', 'Todavía abiertas'],
  'Usage.issued': ['With a certificate', 'Con certificado'],
  'Usage.revoked': ['Of those that were issued', 'De las emitidas'],
  'Usage.byFamily': ['By family', 'Por familia'],
  validationStatus: [
    'How far the checks of the applicant are',
    'Hasta dónde han llegado las validaciones del solicitante',
  ],
  createdAt: ['yyyy-MM-dd HH:mm:ss', 'yyyy-MM-dd HH:mm:ss'],
  createdDate: isoInstant,
  updatedDate: isoInstant,
  expiresAt: isoInstant,
  linkExpiresAt: [
    'End of the claim window; sending the link again does not move it',
    'Fin del plazo para retirar; reenviar el enlace no lo mueve',
  ],
  notBefore: ['Begin of the validity of the certificate', 'Inicio de la validez del certificado'],
  notAfter: ['End of the validity of the certificate', 'Fin de la validez del certificado'],
  daysLeft: [
    'Days until the end of the certificate, rounded up, as the event was written',
    'Días hasta el fin del certificado, redondeados hacia arriba, al escribir el evento',
  ],
  revokedAt: [
    'ISO 8601 without zone; since when the certificate is not valid, as CRL and OCSP say it',
    'ISO 8601 sin zona; desde cuándo no vale el certificado, como dicen la CRL y OCSP',
  ],
  message: ['What happened, in words', 'Qué pasó, en palabras'],
  messages: ['All faults in words', 'Todas las faltas en palabras'],
  errors: [
    'All faults, each with its code and the field that it is about',
    'Todas las faltas, cada una con su código y el campo al que se refiere',
  ],
  field: ['The field that the fault is about', 'El campo al que se refiere la falta'],
  code: ['Code of the error catalogue', 'Código del catálogo de errores'],
  'ReferenceItem.code': ['What is sent and answered', 'Lo que se envía y se responde'],
  correctable: [
    "The applicant's data can be corrected and the step run again",
    'Se pueden corregir los datos del solicitante y repetir el paso',
  ],
  retryable: [
    'The same call, or a rerun of the same step, may succeed later',
    'La misma llamada, o repetir el mismo paso, puede funcionar más tarde',
  ],
  observation: [
    'Why the request stopped; null where nothing is wrong',
    'Por qué se detuvo la solicitud; null si todo está bien',
  ],
  observations: [
    'Everything that was noticed. A `WARNING` fails nothing',
    'Todo lo que se observó. Un `WARNING` no hace fallar nada',
  ],
  type: ['Weight of the observation', 'Peso de la observación'],
  'Terms.type': ['Type of certificate that the terms are for', 'Tipo de certificado al que se aplican'],
  'activeTerms.type': ['Type of certificate that the terms are for', 'Tipo de certificado al que se aplican'],
  correctableFields: [
    'Fields that a retry or a correction may send anew',
    'Campos que un reintento o una corrección puede enviar de nuevo',
  ],
  retryCount: ['Retries that were used', 'Reintentos usados'],
  retriesRemaining: ['Retries that are left, of two', 'Reintentos que quedan, de dos'],
  serialNumber: [
    'Serial number of the certificate, upper-case hexadecimal as OpenSSL prints it',
    'Número de serie del certificado, hexadecimal en mayúsculas como lo muestra OpenSSL',
  ],
  certificateStatus: [
    'State of the certificate; null until it is issued',
    'Estado del certificado; null hasta que se emite',
  ],
  renewalOf: [
    'The certificate that this request renews; absent where it renews none',
    'El certificado que esta solicitud renueva; ausente si no renueva ninguno',
  ],
  renewedBy: [
    'The request that renews this certificate; its serial number is null until it is issued. Absent where there is none',
    'La solicitud que renueva este certificado; su número de serie es null hasta que se emite. Ausente si no hay ninguna',
  ],
  revocationReason: ['Reason of RFC 5280 §5.3.1', 'Motivo según RFC 5280 §5.3.1'],
  file: ['PKCS#12, DER in base64', 'PKCS#12, DER en base64'],
  'pkiFile.file': [
    '`{name}.cer` or `{name}.crl`, as certificates name them',
    '`{name}.cer` o `{name}.crl`, como los nombran los certificados',
  ],
  'ocspByAddress.request': [
    'URL-encoded base64 of the OCSP request',
    'Solicitud OCSP en base64, codificada para URL',
  ],
  'CertificateIssuedEvent.password': [
    'Left out where the applicant chose it at the claim',
    'Se omite si la eligió el solicitante al retirar',
  ],
  'IssuanceResult.password': ['Where the service made it', 'Si la creó el servicio'],
  'TransactionalCertificate.password': ['Opens the file', 'Abre el archivo'],
  data: ['What the body is without an envelope', 'Lo que es el cuerpo sin sobre'],
  occurredAt: [
    'When it happened, in the time zone of the service',
    'Cuándo ocurrió, en la zona horaria del servicio',
  ],
  valid: [
    'Whether a registration would be accepted without errors',
    'Si un registro se aceptaría sin errores',
  ],
  advancedDays: [
    'Days by which the clock of this request is ahead, in all',
    'Días que el reloj de esta solicitud está adelantado, en total',
  ],
  now: ['What time it is for this request', 'Qué hora es para esta solicitud'],
  warnings: ['What would be noted and fails nothing', 'Lo que se observaría sin hacer fallar nada'],
  results: [
    'The checks, in the order in which they are made',
    'Las validaciones, en el orden en que se hacen',
  ],
  check: ['What is checked', 'Qué se valida'],
  result: ['Outcome of the step', 'Resultado del paso'],
  'ValidationResult.result': [
    '`PENDING` until it was made; checks after one that failed are not made',
    '`PENDING` hasta que se hace; las que siguen a una fallida no se hacen',
  ],
  'ValidationResult.code': ['Why it failed', 'Por qué falló'],
  nextStep: ['The call that comes next', 'La llamada que sigue'],
  attemptsRemaining: ['Attempts that the step has left', 'Intentos que le quedan al paso'],
  attemptNumber: ['Which attempt this is', 'Qué intento es este'],
  maxAttempts: ['Attempts in all', 'Intentos en total'],
  failureReasons: ['Codes that say why the step failed', 'Códigos que dicen por qué falló el paso'],
  livenessSessionId: ['Identifier of the proof of life', 'Identificador de la prueba de vida'],
  livenessUrl: ['To be opened by the applicant, on a phone', 'La abre el solicitante, en un celular'],
  livenessConfidence: ['0 to 100; null until it is known', 'De 0 a 100; null hasta que se conoce'],
  faceMatchConfidence: ['0 to 100; null until it is known', 'De 0 a 100; null hasta que se conoce'],
  sentTo: ['Masked address, for example j***@m***.com', 'Correo enmascarado, por ejemplo j***@m***.com'],
  resendCount: ['Times that the link was sent again', 'Veces que se reenvió el enlace'],
  resendsRemaining: ['Times that are left, of five', 'Veces que quedan, de cinco'],
  timestamp: ['yyyy-MM-dd HH:mm:ss', 'yyyy-MM-dd HH:mm:ss'],
  error: [
    'Reason phrase of the status; on the token endpoint the code of RFC 6749 §5.2',
    'Frase del estado HTTP; en el punto de tokens, el código de RFC 6749 §5.2',
  ],
  path: ['Address that was called, without its query', 'Dirección llamada, sin su consulta'],
  traceId: ['Quote it to support', 'Indíquelo a soporte'],
  docUrl: [
    'Page of the documentation about `code`: its cause and its remedy',
    'Página de la documentación sobre `code`: su causa y su solución',
  ],
  id: ['Identifier', 'Identificador'],
  version: ['Version of the terms', 'Versión de los términos'],
  content: [
    'Text of the terms, to be shown to the applicant',
    'Texto de los términos, para mostrar al solicitante',
  ],
  active: [
    'Whether it may be used today; a value that is retired stays, to be shown with what has it',
    'Si se puede usar hoy; un valor retirado se conserva para mostrar lo que lo tiene',
  ],
  name: [
    'For people, in the language of `Content-Language`',
    'Para personas, en el idioma de `Content-Language`',
  ],
  parentCode: [
    'What the code belongs to; see the description of the list',
    'A qué pertenece el código; vea la descripción de la lista',
  ],
  family: [
    'The family for which the row holds; null: for all of them',
    'La familia para la que vale la fila; null: para todas',
  ],
} as const satisfies Readonly<Record<string, Meaning>>;
