import { defineTexts } from './define-texts.ts';

/** Refusals of operators: sign-in, second factors, accounts, reviews, and searches of the console. */
export const operatorTexts = defineTexts({
  'operator.passwordWrong': {
    en: 'The e-mail or the password is not correct',
    es: 'El correo o la contraseña no es correcto',
  },
  'operator.codeWrong': { en: 'The code is not correct', es: 'El código no es correcto' },
  'operator.accountChanged': {
    en: 'The account was changed just now: sign in again',
    es: 'La cuenta acaba de cambiar: inicie sesión de nuevo',
  },
  'operator.accountDisabled': { en: 'Your account is disabled', es: 'Su cuenta está deshabilitada' },
  'operator.sessionEnded': {
    en: 'The session has ended: sign in again',
    es: 'La sesión terminó: inicie sesión de nuevo',
  },
  'operator.roleNeeded': {
    en: 'This needs the role "{needed}"; yours is "{role}"',
    es: 'Esto requiere el rol "{needed}"; el suyo es "{role}"',
  },
  'operator.sessionOtherKind': {
    en: 'A session of this kind cannot do this',
    es: 'Una sesión de este tipo no permite esta acción',
  },
  'operator.enrolFirst': {
    en: 'Enrol a second factor first: this session may do nothing else',
    es: 'Registre primero un segundo factor: esta sesión no permite nada más',
  },
  'operator.breakGlassLimits': {
    en: 'A break-glass session may only invite and enable operators and reset factors',
    es: 'Una sesión de emergencia solo permite invitar y habilitar operadores y restablecer factores',
  },
  'operator.organisationSignIn': {
    en: 'Sign in with the account of your organisation',
    es: 'Inicie sesión con la cuenta de su organización',
  },
  'operator.organisationFactors': {
    en: 'This operator signs in with the account of the organisation: have its factors reset there',
    es: 'Este operador inicia sesión con la cuenta de la organización: sus factores se restablecen allí',
  },
  'operator.openIdOff': {
    en: 'Operators do not sign in by OpenID here: OPERATOR_OIDC_ISSUER is not set',
    es: 'Aquí los operadores no inician sesión por OpenID: OPERATOR_OIDC_ISSUER no está definido',
  },
  'operator.passkeySignInFailed': {
    en: 'The passkey could not sign you in: try again, or sign in another way',
    es: 'No se pudo ingresar con la llave de acceso: intente de nuevo o ingrese de otra forma',
  },
  'operator.passkeyNotEnrolled': {
    en: 'The passkey was not enrolled: begin again, and confirm it on the device',
    es: 'No se registró la llave de acceso: comience de nuevo y confírmelo en el dispositivo',
  },
  'operator.totpNotBegun': {
    en: 'Begin first: a secret is needed before its code',
    es: 'Comience por el secreto: se necesita antes que su código',
  },
  'operator.totpWrong': {
    en: 'The code is not correct: take the one that the app shows now',
    es: 'El código no es correcto: use el que la aplicación muestra ahora',
  },
  'operator.factorsTooMany': {
    en: 'There are {count} factors already: remove one first',
    es: 'Ya hay {count} factores: elimine uno primero',
  },
  'operator.factorNotFound': {
    en: 'Your account has no such factor',
    es: 'Su cuenta no tiene ese factor',
  },
  'operator.onlyFactor': {
    en: 'This is your only second factor: enrol another one first',
    es: 'Este es su único segundo factor: registre otro primero',
  },
  'operator.factorsTampered': {
    en: 'A second factor of this account was deleted or changed outside the service: another administrator has to reset its factors',
    es: 'Un segundo factor de esta cuenta se eliminó o se cambió fuera del servicio: otro administrador debe restablecer sus factores',
  },
  'operator.currentPasswordWrong': {
    en: 'The current password is not correct',
    es: 'La contraseña actual no es correcta',
  },
  'operator.notFound': { en: 'There is no such operator', es: 'No existe ese operador' },
  'operator.noPassword': {
    en: 'This account has no password: invite the address again, so that its owner can choose one',
    es: 'Esta cuenta no tiene contraseña: invite de nuevo a esa dirección para que su titular elija una',
  },
  'operator.ownAccount': {
    en: 'This is your own account: another administrator has to decide on it',
    es: 'Esta es su propia cuenta: otro administrador debe decidir sobre ella',
  },
  'operator.breakGlassAccount': {
    en: 'This is the account of break-glass sessions: it can be disabled, or its sessions ended',
    es: 'Esta es la cuenta de las sesiones de emergencia: se puede deshabilitar, o terminar sus sesiones',
  },
  'operator.twoAdministratorsLeft': {
    en: 'Only two administrators are enabled, and what takes two could not be decided without this one: invite or promote another one first',
    es: 'Solo hay dos administradores habilitados, y sin este no se podría decidir lo que requiere dos: invite o ascienda a otro primero',
  },
  'operator.notOpened': {
    en: 'This account is disabled or was never opened: enable it, or invite its address again',
    es: 'Esta cuenta está deshabilitada o nunca se abrió: habilítela o invite de nuevo a su dirección',
  },
  'operator.invitationEnded': {
    en: 'This link was used, was replaced by a newer one, or its time is over: ask for another',
    es: 'Este enlace ya se usó, se reemplazó por uno más reciente o caducó: solicite otro',
  },
  'operator.knownAddress': {
    en: 'This address already belongs to an operator: enable the account, change its role or reset its factors',
    es: 'Esta dirección ya pertenece a un operador: habilite la cuenta, cambie su rol o restablezca sus factores',
  },
  'operator.rowTampered': {
    en: 'The row of the table "{table}" is not as the service has written it, and counts as disabled',
    es: 'La fila de la tabla "{table}" no está como la escribió el servicio y se considera deshabilitada',
  },
  'operator.deliveryNotFound': { en: 'The delivery was not found', es: 'La entrega no fue encontrada' },
  'operator.messageNotFound': { en: 'The message was not found', es: 'El mensaje no fue encontrado' },
  'operator.messageSuperseded': {
    en: 'This message was overtaken by a newer one, or expired before it could be sent; resend the newer one',
    es: 'A este mensaje lo reemplazó uno más reciente, o caducó antes de poder enviarse; reenvíe el más reciente',
  },
  'operator.messageExpired': {
    en: 'The link or code of this message has expired: sent again, it would open nothing',
    es: 'El enlace o código de este mensaje ha caducado: si se reenviara, no abriría nada',
  },
  'operator.destinationNotDisabled': {
    en: '{destination} is not disabled for this partner',
    es: '{destination} no está deshabilitado para este tercero',
  },
  'operator.notUnderLegalHold': {
    en: 'The request is under no legal hold',
    es: 'La solicitud no está bajo retención legal',
  },
  'operator.underLegalHold': {
    en: 'The request is under legal hold: lift it first',
    es: 'La solicitud está bajo retención legal: levántela primero',
  },
  'operator.approvedAlready': {
    en: 'You have approved this request already; another operator has to approve it too',
    es: 'Usted ya aprobó esta solicitud; otro operador también debe aprobarla',
  },
  'operator.notInReview': {
    en: 'The request is being validated automatically and does not wait for a review',
    es: 'La solicitud se está validando automáticamente y no espera una revisión',
  },
  'operator.familyNotCorrectable': {
    en: 'Requests of this family cannot be corrected: approve it, reject it, or cancel it',
    es: 'Las solicitudes de esta familia no se pueden corregir: apruébela, rechácela o anúlela',
  },
  'operator.fieldNotOfFamily': {
    en: '{field} cannot be corrected in this family; it takes {fields}',
    es: '{field} no se puede corregir en esta familia; se admiten {fields}',
  },
  'operator.notReviewer': {
    en: '{email} is not an operator who may review',
    es: '{email} no es un operador que pueda revisar',
  },
  'operator.reviewNotFound': {
    en: 'There is no such request, or it never waited for a review',
    es: 'No existe esa solicitud, o nunca esperó una revisión',
  },
  'operator.evidenceErased': {
    en: 'The evidence was erased at the end of its retention',
    es: 'La evidencia se eliminó al terminar su retención',
  },
  'operator.evidenceGone': {
    en: 'The evidence is no longer there',
    es: 'La evidencia ya no está disponible',
  },
  'operator.evidenceWithoutFile': {
    en: 'This evidence has no file to show',
    es: 'Esta evidencia no tiene un archivo que mostrar',
  },
  'operator.evidenceLinkEnded': {
    en: 'This link is not valid, or its time is over; make a new one',
    es: 'Este enlace no es válido o caducó; cree uno nuevo',
  },
  'operator.certificateTampered': {
    en: 'The record of this certificate is not as the authority wrote it, and the authority was alerted: ask it to revoke the certificate',
    es: 'El registro de este certificado no está como lo escribió la autoridad, que ya recibió la alerta: pídale que lo revoque',
  },
  'operator.certificatesCount': {
    en: 'The filters find {count} valid certificates now: look at them and say how many they are',
    es: 'Los filtros encuentran ahora {count} certificados válidos: revíselos e indique cuántos son',
  },
  'operator.certificatesMore': {
    en: 'The filters find more than {count} valid certificates now: look at them and say how many they are',
    es: 'Los filtros encuentran ahora más de {count} certificados válidos: revíselos e indique cuántos son',
  },
  'operator.requestTampered': {
    en: 'The stored data of this request were changed outside the service. Nothing is issued for it; cancel it and register it again.',
    es: 'Los datos guardados de esta solicitud se cambiaron fuera del servicio. No se emite nada para ella; anúlela y regístrela de nuevo.',
  },
  'operator.observationsTampered': {
    en: 'The stored observations were changed outside the service and are not shown',
    es: 'Las observaciones guardadas se cambiaron fuera del servicio y no se muestran',
  },
  'operator.termsTampered': {
    en: 'This version is not as the service has written it: create another one, and activate that',
    es: 'Esta versión no está como la escribió el servicio: cree otra y active esa',
  },
  'operator.termsLabelTaken': {
    en: 'version "{version}" of {type} exists already: choose another label',
    es: 'version "{version}" de {type} ya existe: elija otra etiqueta',
  },
  'operator.termsNotFound': {
    en: 'There are no terms with the id {id}',
    es: 'No existen términos con el id {id}',
  },
});
