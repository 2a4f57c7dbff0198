import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import { mailedCodeTexts } from './code-texts.ts';
import { expiryLetters } from './expiry-letters.ts';
import { operatorLetters } from './operator-letters.ts';

/**
 * Texts of a mail in one language. `{applicant}` and `{partner}` are names (for an operator: the cause of the mail). A
 * mail has a button that opens the link, or shows a code. One about the expiry of a certificate may have neither, and
 * fills in `{day}` and `{when}`.
 */
export interface MailTexts {
  readonly subject: string;
  readonly preview: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly button?: string;
  /** Label of the expiry of the link, download, code or certificate. */
  readonly until: string;
  readonly notes: readonly string[];
}

type Outgoing = messagesContract.OutgoingMessage;
type Languages = Readonly<Record<Outgoing['language'], MailTexts>>;

const claim: Languages = {
  es: {
    subject: 'Su certificado de firma electrónica está listo para retirar',
    preview: '{partner} solicitó un certificado de firma electrónica a su nombre.',
    heading: 'Retire su certificado de firma electrónica',
    paragraphs: [
      'La solicitud que {partner} registró a su nombre fue aprobada. Para recibir su certificado, abra este enlace, confirme que es usted y elija una contraseña que solo usted conozca.',
    ],
    button: 'Retirar mi certificado',
    until: 'Enlace válido hasta',
    notes: [
      'Este enlace es personal: no lo reenvíe. Para retirar el certificado se le pedirá además un código de seis dígitos.',
      'Nunca le pediremos su contraseña por correo ni por teléfono. Si no pidió este certificado o sus datos no son correctos, indíquelo en esa misma página.',
    ],
  },
  en: {
    subject: 'Your electronic signature certificate is ready to be claimed',
    preview: '{partner} requested an electronic signature certificate in your name.',
    heading: 'Claim your electronic signature certificate',
    paragraphs: [
      'The request that {partner} registered in your name has been approved. To receive your certificate, open this link, confirm that it is you and choose a password that only you know.',
    ],
    button: 'Claim my certificate',
    until: 'Link valid until',
    notes: [
      'This link is personal: do not forward it. To claim you will also be asked for a six-digit code.',
      'We never ask for your password by e-mail or telephone. If you did not ask for this certificate, or your details are wrong, say so on that page.',
    ],
  },
};

const claimReminder: Languages = {
  es: {
    subject: 'Recordatorio: todavía no ha retirado su certificado de firma electrónica',
    preview: 'El certificado que {partner} solicitó a su nombre todavía no ha sido retirado.',
    heading: 'Todavía puede retirar su certificado',
    paragraphs: [
      'El certificado de firma electrónica que {partner} solicitó a su nombre está aprobado, pero usted aún no lo ha retirado. Cuando venza el plazo, la solicitud se cerrará y habrá que empezar de nuevo.',
      'Toma unos minutos: confirme que es usted y elija una contraseña que solo usted conozca.',
    ],
    button: 'Retirar mi certificado',
    until: 'Enlace válido hasta',
    notes: [
      'Este enlace es personal: no lo reenvíe. Para retirar el certificado se le pedirá además un código de seis dígitos.',
      'Nunca le pediremos su contraseña por correo ni por teléfono. Si no pidió este certificado o sus datos no son correctos, indíquelo en esa misma página.',
    ],
  },
  en: {
    subject: 'Reminder: your electronic signature certificate is waiting to be claimed',
    preview: 'The certificate that {partner} requested in your name has not been claimed yet.',
    heading: 'You can still claim your certificate',
    paragraphs: [
      'The electronic signature certificate that {partner} requested in your name has been approved, but you have not claimed it yet. When the time is over the request is closed and has to be made again.',
      'It takes a few minutes: confirm that it is you and choose a password that only you know.',
    ],
    button: 'Claim my certificate',
    until: 'Link valid until',
    notes: [
      'This link is personal: do not forward it. To claim you will also be asked for a six-digit code.',
      'We never ask for your password by e-mail or telephone. If you did not ask for this certificate, or your details are wrong, say so on that page.',
    ],
  },
};

const certificateReady: Languages = {
  es: {
    subject: 'Su certificado de firma electrónica está listo para descargar',
    preview: 'Ya puede descargar el certificado que {partner} solicitó a su nombre.',
    heading: 'Su certificado está listo',
    paragraphs: [
      'El certificado de firma electrónica que {partner} solicitó a su nombre ya fue emitido. Descárguelo con este enlace; si no lo hace enseguida y en el mismo navegador, por seguridad se le pedirá un código nuevo de seis dígitos.',
      'El archivo se abre con la contraseña que usted eligió. No guardamos esa contraseña y no podemos recuperarla.',
    ],
    button: 'Descargar mi certificado',
    until: 'Descarga disponible hasta',
    notes: [
      'Guarde el archivo en un lugar seguro y haga una copia: después de esta fecha ya no se podrá descargar.',
      'Este enlace es personal: no lo reenvíe. Nunca le pediremos su contraseña por correo ni por teléfono.',
    ],
  },
  en: {
    subject: 'Your electronic signature certificate is ready to download',
    preview: 'You can now download the certificate that {partner} requested in your name.',
    heading: 'Your certificate is ready',
    paragraphs: [
      'The electronic signature certificate that {partner} requested in your name has been issued. Download it by this link; unless you do so soon and in the same browser, you will be asked for a new six-digit code, for your safety.',
      'The file opens with the password you chose. We do not keep that password and cannot recover it.',
    ],
    button: 'Download my certificate',
    until: 'Download available until',
    notes: [
      'Keep the file in a safe place and make a copy: after this date it can no longer be downloaded.',
      'This link is personal: do not forward it. We never ask for your password by e-mail or telephone.',
    ],
  },
};

export const mailTexts = {
  claim,
  'claim-reminder': claimReminder,
  'certificate-ready': certificateReady,
  ...mailedCodeTexts,
  ...expiryLetters,
  ...operatorLetters,
} as const satisfies Readonly<Record<Outgoing['template'], Languages>>;

/** Texts that all mails share. */
export const sharedMailTexts = {
  es: {
    greeting: 'Hola, {applicant}:',
    namelessGreeting: 'Hola:',
    certificateOf: 'Certificado de',
    serialNumber: 'Número de serie',
    inDays: 'en {days} días',
    inOneDay: 'en menos de un día',
    requestedBy: 'Solicitado por',
    contact: 'Consultas',
    linkHint: 'Si el botón no funciona, copie esta dirección en su navegador:',
  },
  en: {
    greeting: 'Hello {applicant},',
    namelessGreeting: 'Hello,',
    certificateOf: 'Certificate of',
    serialNumber: 'Serial number',
    inDays: 'in {days} days',
    inOneDay: 'in less than a day',
    requestedBy: 'Requested by',
    contact: 'Questions',
    linkHint: 'If the button does not work, copy this address into your browser:',
  },
} as const;
