import type { Advice } from './advice.ts';

export const registrationAdvice = {
  DUPLICATED_REFERENCE_TRANSACTION: {
    en: [
      'You have registered this `referenceTransaction` before, in this family or another.',
      'Ask for the status of that reference: the first call may have succeeded although its answer was lost. For a new request take a new reference.',
    ],
    es: [
      'Usted ya registró este `referenceTransaction`, en esta familia o en otra.',
      'Consulte el estado de esa referencia: la primera llamada pudo funcionar aunque su respuesta se perdiera. Para una solicitud nueva use otra referencia.',
    ],
  },
  QUOTA_EXCEEDED: {
    en: [
      'You have registered as many requests of this certificate type as your quota of this month, or of your package, allows. Nothing was stored.',
      'Ask the certification authority for a larger quota, or wait as long as `Retry-After` says: until the next month. Requests that end without a certificate are given back.',
    ],
    es: [
      'Usted ya registró tantas solicitudes de este tipo de certificado como permite su cupo del mes, o de su paquete. No se guardó nada.',
      'Pida a la entidad de certificación un cupo mayor, o espere lo que dice `Retry-After`: hasta el mes siguiente. Las solicitudes que terminan sin certificado se devuelven.',
    ],
  },
  FIELD_REQUIRED: {
    en: [
      'The body lacks a field that this operation needs, or has it empty.',
      'Send the field that `field` names.',
    ],
    es: ['Al cuerpo le falta un campo obligatorio, o está vacío.', 'Envíe el campo que nombra `field`.'],
  },
  FIELD_INVALID: {
    en: [
      'A value is of another type or form than its field, or too long.',
      'Correct the field that `field` names; `message` says what is expected.',
    ],
    es: [
      'Un valor es de otro tipo o forma que su campo, o es demasiado largo.',
      'Corrija el campo que nombra `field`; `message` dice qué se espera.',
    ],
  },
  INVALID_PERIOD: {
    en: [
      'The `period` is unknown, is missing for a traditional signature, or is not `ONE_WEEK` for a transactional one.',
      'Take a value of the [list of periods](reference/listPeriods) of your family.',
    ],
    es: [
      'El `period` no existe, falta en una firma tradicional, o no es `ONE_WEEK` en una transaccional.',
      'Use un valor de la [lista de períodos](reference/listPeriods) de su familia.',
    ],
  },
  INVALID_APPLICATION_TYPE: {
    en: ['The `applicationType` is unknown.', 'Send `NATURAL_PERSON` or `LEGAL_REPRESENTATIVE`.'],
    es: ['El `applicationType` no existe.', 'Envíe `NATURAL_PERSON` o `LEGAL_REPRESENTATIVE`.'],
  },
  INVALID_DOCUMENT_TYPE: {
    en: ['The `documentType` is unknown.', 'Send `CI`.'],
    es: ['El `documentType` no existe.', 'Envíe `CI`.'],
  },
  INVALID_CERTIFICATE_TYPE: {
    en: ['The `certificateType` is unknown.', 'Send `TRADITIONAL_SIGNATURE` or `TRANSACTIONAL_SIGNATURE`.'],
    es: ['El `certificateType` no existe.', 'Envíe `TRADITIONAL_SIGNATURE` o `TRANSACTIONAL_SIGNATURE`.'],
  },
  INVALID_TERMS_TYPE: {
    en: [
      'The `type` of the terms is missing or unknown; case matters.',
      'Send `TRADITIONAL_SIGNATURE` or `TRANSACTIONAL_SIGNATURE`.',
    ],
    es: [
      'El `type` de los términos falta o no existe; importan las mayúsculas.',
      'Envíe `TRADITIONAL_SIGNATURE` o `TRANSACTIONAL_SIGNATURE`.',
    ],
  },
  PASSWORD_REQUIRED: {
    en: [
      'A traditional signature without `password`, and you have not agreed that applicants claim.',
      'Send a `password`, or agree on the one-time-password configuration: then [the applicant claims](claim).',
    ],
    es: [
      'Una firma tradicional sin `password`, y usted no ha acordado que el solicitante retire su certificado.',
      'Envíe `password`, o acuerde la configuración de contraseña de un solo uso: entonces [retira el solicitante](claim).',
    ],
  },
  COMPANY_DATA_REQUIRED: {
    en: [
      'A legal representative without the data of the company.',
      'Send `companyRuc`, `positionCompany`, `companySocialReason` and the end of the appointment.',
    ],
    es: [
      'Un representante legal sin los datos de la empresa.',
      'Envíe `companyRuc`, `positionCompany`, `companySocialReason` y el fin del nombramiento.',
    ],
  },
  APPOINTMENT_EXPIRED: {
    en: [
      'The appointment ends today or has ended.',
      'Send the end of the present appointment, which lies in the future.',
    ],
    es: [
      'El nombramiento termina hoy o ya terminó.',
      'Envíe el fin del nombramiento vigente, que está en el futuro.',
    ],
  },
  CALLBACK_URL_NOT_ALLOWED: {
    en: [
      '`callbackUrl` is not https, or leads to a private address.',
      'Send a public https address; [network](network) says which ones are taken.',
    ],
    es: [
      '`callbackUrl` no es https, o lleva a una dirección privada.',
      'Envíe una dirección https pública; [red](network) dice cuáles se aceptan.',
    ],
  },
  TERMS_NOT_ACCEPTED: {
    en: [
      'No accepted terms were named.',
      'Read the [active terms](reference/activeTerms), let the applicant accept them, and send their `id`.',
    ],
    es: [
      'No se nombraron términos aceptados.',
      'Lea los [términos vigentes](reference/activeTerms), haga que el solicitante los acepte y envíe su `id`.',
    ],
  },
  TERMS_OUTDATED: {
    en: [
      'A newer version of the terms became active.',
      'Show the [active terms](reference/activeTerms) again and send their `id`.',
    ],
    es: [
      'Entró en vigencia una versión más reciente.',
      'Muestre de nuevo los [términos vigentes](reference/activeTerms) y envíe su `id`.',
    ],
  },
  NO_ACTIVE_TERMS: {
    en: [
      'No version of the terms is active for this type.',
      'Nothing that you can do: ask the certification authority.',
    ],
    es: [
      'Ninguna versión de los términos está vigente para este tipo.',
      'No depende de usted: consulte a la entidad de certificación.',
    ],
  },
  FILE_TOO_LARGE: {
    en: ['A file is beyond its limit: 5 MB for an image, 10 MB for a PDF or a video.', 'Send it smaller.'],
    es: [
      'Un archivo supera su límite: 5 MB para una imagen, 10 MB para un PDF o un video.',
      'Envíelo más pequeño.',
    ],
  },
  FILE_TYPE_NOT_ALLOWED: {
    en: [
      'The content is of another type than the field takes. The content decides, not the name.',
      'Images: JPEG or PNG. Documents: PDF. Videos: MP4, MOV or WebM.',
    ],
    es: [
      'El contenido es de otro tipo que el que acepta el campo. Decide el contenido, no el nombre.',
      'Imágenes: JPEG o PNG. Documentos: PDF. Videos: MP4, MOV o WebM.',
    ],
  },
  AUTHORIZATION_VIDEO_REQUIRED: {
    en: [
      'The identity registry says that the applicant is 65 or older.',
      'Send `authorizationVideo`, in which the applicant agrees.',
    ],
    es: [
      'Según el registro, el solicitante tiene 65 años o más.',
      'Envíe `authorizationVideo`, en el que el solicitante autoriza.',
    ],
  },
  IDENTITY_CERTIFICATE_FLAG_REQUIRED: {
    en: [
      'An identity image is a PDF, which is an identity certificate.',
      'Send `isIdentityCertificate: true`, or a picture of the card.',
    ],
    es: [
      'Una imagen de identidad es un PDF, es decir, un certificado de identidad.',
      'Envíe `isIdentityCertificate: true`, o una foto de la cédula.',
    ],
  },
  COMPANY_RUC_DOCUMENT_REQUIRED: {
    en: ['`companyRuc` came without its document.', 'Send `pdfCompanyRuc`.'],
    es: ['`companyRuc` llegó sin su documento.', 'Envíe `pdfCompanyRuc`.'],
  },
  COMPANY_DOCUMENT_REQUIRED: {
    en: ['A field or document of the company is missing in a regular request.', 'Send what `field` names.'],
    es: [
      'A una solicitud regular le falta un campo o documento de la empresa.',
      'Envíe lo que nombra `field`.',
    ],
  },
  FIELD_NOT_CORRECTABLE: {
    en: [
      'The correction has a field that may not change now.',
      'Send only what `correctableFields` of the status names.',
    ],
    es: [
      'La corrección trae un campo que ahora no puede cambiar.',
      'Envíe solo lo que nombra `correctableFields` del estado.',
    ],
  },
  BODY_MALFORMED: {
    en: [
      'The body is no JSON object in UTF-8.',
      'Check how it is written; a comma too many and a wrong encoding are the usual causes.',
    ],
    es: [
      'El cuerpo no es un objeto JSON en UTF-8.',
      'Revise cómo se escribe; lo usual es una coma de más o una codificación equivocada.',
    ],
  },
  BODY_TOO_LARGE: {
    en: [
      'The whole body, or its fields other than files, is beyond its limit.',
      'The page of the operation names the limit; fields come to 256 KiB at most.',
    ],
    es: [
      'El cuerpo, o sus campos sin los archivos, supera el límite.',
      'La página de la operación dice el límite; los campos suman 256 KiB como máximo.',
    ],
  },
  METHOD_NOT_ALLOWED: {
    en: ['The address exists, but not with this method.', 'The header `Allow` names those that it takes.'],
    es: ['La dirección existe, pero no con este método.', 'La cabecera `Allow` nombra los que acepta.'],
  },
  UNSUPPORTED_MEDIA_TYPE: {
    en: ['The body was sent as something else than JSON.', 'Send `Content-Type: application/json`.'],
    es: ['El cuerpo se envió como algo distinto de JSON.', 'Envíe `Content-Type: application/json`.'],
  },
} as const satisfies Readonly<Record<string, Advice>>;
