/** Texts about the expiry of a certificate: owner, date, consequence and next step. */
const ends = {
  es: {
    subject: 'Su certificado de firma electrónica vence el {day}',
    heading: 'Su certificado vence {when}',
    first:
      'El certificado de firma electrónica que {partner} solicitó a su nombre vence el {day}. A partir de ese momento ya no podrá firmar con él. Lo que firmó antes conserva su validez.',
    until: 'Vence el',
    again: 'Si su renovación ya está en trámite, no tiene que hacer nada más.',
  },
  en: {
    subject: 'Your electronic signature certificate ends on {day}',
    heading: 'Your certificate ends {when}',
    first:
      'The electronic signature certificate that {partner} requested in your name ends on {day}. From then on you cannot sign with it any more. What you signed before stays valid.',
    until: 'Ends on',
    again: 'If your renewal is under way already, you need do nothing more.',
  },
} as const;

/** Letter for certificates that the partner renews. */
const endReminder = {
  es: {
    ...ends.es,
    preview: 'Para seguir firmando, pida la renovación a {partner}.',
    paragraphs: [
      ends.es.first,
      'Para seguir firmando necesita un certificado nuevo: pida la renovación a {partner}. Hágalo antes de que venza, para no quedarse sin poder firmar.',
    ],
    notes: [
      ends.es.again,
      'Este mensaje no lleva enlaces. Nunca le pediremos su contraseña por correo ni por teléfono.',
    ],
  },
  en: {
    ...ends.en,
    preview: 'To go on signing, ask {partner} to renew it.',
    paragraphs: [
      ends.en.first,
      'To go on signing you need a new certificate: ask {partner} to renew it. Do so before the end, so that there is no time in which you cannot sign.',
    ],
    notes: [
      ends.en.again,
      'This message has no links. We never ask for your password by e-mail or telephone.',
    ],
  },
};

/** Letter for certificates that the subscriber may renew by the link. */
const renewalReminder = {
  es: {
    ...ends.es,
    preview: 'Renuévelo usted mismo en unos minutos, antes de que venza.',
    paragraphs: [
      ends.es.first,
      'Puede renovarlo usted mismo. Toma unos minutos: abra este enlace, confirme que es usted y elija una contraseña que solo usted conozca.',
    ],
    button: 'Renovar mi certificado',
    notes: [
      'Este enlace es personal: no lo reenvíe. Para renovar se le pedirá además un código de seis dígitos. Sirve hasta 60 días después del vencimiento.',
      ends.es.again,
      'Nunca le pediremos su contraseña por correo ni por teléfono.',
    ],
  },
  en: {
    ...ends.en,
    preview: 'Renew it yourself in a few minutes, before it ends.',
    paragraphs: [
      ends.en.first,
      'You can renew it yourself. It takes a few minutes: open this link, confirm that it is you and choose a password that only you know.',
    ],
    button: 'Renew my certificate',
    notes: [
      'This link is personal: do not forward it. To renew you will also be asked for a six-digit code. It works until 60 days after the end.',
      ends.en.again,
      'We never ask for your password by e-mail or telephone.',
    ],
  },
};

/** Letters to subscribers about the expiry of their certificates. */
export const expiryLetters = {
  'end-reminder': endReminder,
  'renewal-reminder': renewalReminder,
} as const;
