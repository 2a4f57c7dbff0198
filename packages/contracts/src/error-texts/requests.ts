import { defineTexts } from './define-texts.ts';

/** Refusals by the state of a request or certificate, and warnings about them. */
export const requestTexts = defineTexts({
  // Sentence that release 0.1.0 has stored without a template.
  'request.verbatim': { en: '{message}', es: '{message}' },
  'request.sentences': { en: '{texts:sentences}', es: '{texts:sentences}' },
  'request.clauses': { en: '{texts:clauses}', es: '{texts:clauses}' },
  'request.eventNotFound': {
    en: 'The event was not found',
    es: 'El evento no fue encontrado',
  },
  'request.referenceTaken': {
    en: 'A request with referenceTransaction "{given}" already exists',
    es: 'Ya existe una solicitud con referenceTransaction "{given}"',
  },
  'request.referenceTakenDiffers': {
    en: 'A request with referenceTransaction "{given}" already exists, with other values of {fields}',
    es: 'Ya existe una solicitud con referenceTransaction "{given}", con otros valores de {fields}',
  },
  'request.otherFamily': {
    en: 'This request is of the family {family}; its status is at {path}',
    es: 'Esta solicitud es de la familia {family}; su estado está en {path}',
  },
  'request.passwordGiven': {
    en: 'The password that was sent opens the file: the applicant does not claim and chooses none. Leave password out to have them choose it',
    es: 'La contraseña enviada abre el archivo: el solicitante no retira el certificado ni elige una. No envíe password para que la elija',
  },
  'request.quotaUsedUp': {
    en: 'The quota of {count} requests of the type {type} is used up',
    es: 'El cupo de {count} solicitudes del tipo {type} está agotado',
  },
  'request.noActiveTerms': {
    en: 'There are no active terms and conditions of this type: {type}',
    es: 'No existen términos y condiciones activos de este tipo: {type}',
  },
  'request.stateNotAllowed': {
    en: 'The request is {status}, which does not allow this operation',
    es: 'La solicitud está en {status}, que no permite esta operación',
  },
  'request.nextStep': {
    en: 'The request is {status}; the next step is {step}',
    es: 'La solicitud está en {status}; el siguiente paso es {step}',
  },
  'request.inReview': {
    en: 'The request is {status}; a person is reviewing it',
    es: 'La solicitud está en {status}; una persona la está revisando',
  },
  'request.noFurtherStep': {
    en: 'The request is {status}; it allows no further step',
    es: 'La solicitud está en {status}; no permite ningún paso más',
  },
  'request.stepInProgress': {
    en: 'Another call is at this step of the request; ask again in a moment',
    es: 'Otra llamada está en este paso de la solicitud; consulte de nuevo en un momento',
  },
  'request.correctionRequired': {
    en: 'A correction is required: {choices:or}',
    es: 'Se requiere una corrección: {choices:or}',
  },
  'request.notMendable': {
    en: 'Neither a correction nor another attempt mends {code}; register a new request',
    es: 'Ni una corrección ni otro intento resuelven {code}; registre una solicitud nueva',
  },
  'request.retryLimit': {
    en: 'The retry limit of {count} attempts was reached and the request was rejected. Last error: {reason:text}',
    es: 'Se alcanzó el límite de {count} reintentos y la solicitud fue rechazada. Último error: {reason:text}',
  },
  'request.identityLimit': {
    en: 'The identity validation failed {count} times and the request was refused. Last reason: {reason:text}',
    es: 'La validación de identidad falló {count} veces y la solicitud fue rechazada. Último motivo: {reason:text}',
  },
  'request.livenessLimit': {
    en: 'The proof of life failed {count} times and the request was refused. Last reason: {reason:text}',
    es: 'La prueba de vida falló {count} veces y la solicitud fue rechazada. Último motivo: {reason:text}',
  },
  'request.generationFailed': {
    en: 'The certificate could not be made ({code}): {reason:text}. An operator may have it made again',
    es: 'No se pudo generar el certificado ({code}): {reason:text}. Un operador puede mandarlo a generar de nuevo',
  },
  'request.reviewRejected': {
    en: 'The review rejected the request: {reasons:clauses}',
    es: 'La revisión rechazó la solicitud: {reasons:clauses}',
  },
  'request.validationIncomplete': {
    en: 'The validation could not be completed; it may be tried again',
    es: 'No se pudo completar la validación; se puede intentar de nuevo',
  },
  'request.identityRegistryAway': {
    en: 'The identity registry does not answer; try again later',
    es: 'El registro de identidad no responde; intente más tarde',
  },
  'request.taxRegistryAway': {
    en: 'The tax registry does not answer; try again later',
    es: 'El registro tributario no responde; intente más tarde',
  },
  'request.rucUnknown': {
    en: 'The tax registry does not know this RUC',
    es: 'El RUC no consta en el registro tributario',
  },
  'request.livenessAway': {
    en: 'The proof of life does not answer; try again later',
    es: 'La prueba de vida no responde; intente más tarde',
  },
  'request.decodingError': {
    en: '{field} contains "{part}", which looks like text decoded wrongly; send JSON in UTF-8',
    es: '{field} contiene "{part}", que parece un texto mal decodificado; envíe JSON en UTF-8',
  },
  'request.rucCheckDigit': {
    en: 'The check digit of companyRuc "{given}" does not match; newly issued numbers may not have one',
    es: 'El dígito verificador de companyRuc "{given}" no coincide; los números recién emitidos pueden no tenerlo',
  },
  'request.cappedByIssuer': {
    en: 'The certificate will end with its issuer, on {date}, before a period of {period} is over',
    es: 'El certificado terminará con su emisor, el {date}, antes de que se cumpla el período {period}',
  },
  'request.cappedByAppointment': {
    en: 'The certificate will end with the appointment, {field} "{given}", before a period of {period} is over',
    es: 'El certificado terminará con el nombramiento, {field} "{given}", antes de que se cumpla el período {period}',
  },
  'request.endsWithIssuer': {
    en: 'The certificate ends before its period because its issuer does',
    es: 'El certificado termina antes de su período porque su emisor termina antes',
  },
  'request.endsWithAppointment': {
    en: 'The certificate ends before its period because the appointment does',
    es: 'El certificado termina antes de su período porque el nombramiento termina antes',
  },
  'request.shortened': {
    en: 'Longer than a certificate may hold, and so shortened in it: {fields}',
    es: 'Más largo de lo que admite un certificado, y por eso abreviado en él: {fields}',
  },
  'request.apiFlowNotRenewed': {
    en: 'A certificate of the API flow is not renewed: its steps prove presence anew',
    es: 'Un certificado del flujo API no se renueva: sus pasos prueban de nuevo la presencia',
  },
  'request.nothingToRenew': {
    en: 'The request has no certificate to renew',
    es: 'La solicitud no tiene un certificado que renovar',
  },
  'request.revokedNotRenewed': {
    en: 'The certificate is revoked or on hold and cannot be renewed',
    es: 'El certificado está revocado o suspendido y no se puede renovar',
  },
  'request.erased': {
    en: 'The data of the request were erased; register a new request',
    es: 'Los datos de la solicitud fueron borrados; registre una solicitud nueva',
  },
  'request.renewedAs': {
    en: 'The certificate is renewed already, by referenceTransaction "{given}"',
    es: 'El certificado ya tiene una renovación, con referenceTransaction "{given}"',
  },
  'request.renewed': {
    en: 'The certificate is renewed already',
    es: 'El certificado ya tiene una renovación',
  },
  'request.renewalElsewhere': {
    en: 'The certificate cannot be renewed here; ask the company that requested it',
    es: 'El certificado no se puede renovar aquí; pregunte a la empresa que lo solicitó',
  },
  'request.renewalOpens': {
    en: 'Renewal opens on {date}',
    es: 'La renovación se abre el {date}',
  },
  'request.renewalClosed': {
    en: 'Renewal closed on {date}',
    es: 'La renovación se cerró el {date}',
  },
  'request.certificateExpired': {
    en: 'The certificate has expired',
    es: 'El certificado ha caducado',
  },
  'request.alreadyOnHold': {
    en: 'The certificate is already on hold',
    es: 'El certificado ya está suspendido',
  },
  'request.notOnHold': {
    en: 'The certificate is not on hold',
    es: 'El certificado no está suspendido',
  },
  'request.linkSentRecently': {
    en: 'The link was sent a moment ago; it can be sent again after {count} seconds',
    es: 'El enlace se acaba de enviar; puede enviarse de nuevo después de {count} segundos',
  },
  'request.codeTooOld': {
    en: 'The code was entered too long ago; ask for a new one',
    es: 'El código se ingresó hace demasiado tiempo; solicite uno nuevo',
  },
  'request.codeExpired': {
    en: 'The code has expired; ask for a new one',
    es: 'El código ha caducado; solicite uno nuevo',
  },
  'request.codeWrong': {
    en: 'The code is not correct; tries left: {count}',
    es: 'El código no es correcto; intentos restantes: {count}',
  },
});
