import { appLetter, passkeyLetter } from './factor-letters.ts';

const invitation = {
  es: {
    subject: 'Su cuenta de operador en Rubrica',
    preview: '{partner} le invita a trabajar en la consola de Rubrica.',
    heading: 'Elija su contraseña',
    paragraphs: [
      '{partner} le invita a trabajar como operador de la autoridad de certificación. Abra la página, elija una contraseña que solo usted conozca y registre un segundo factor.',
    ],
    button: 'Abrir mi cuenta',
    until: 'Válido hasta',
    notes: [
      'Este enlace es personal y sirve una sola vez: no lo reenvíe.',
      'Si no esperaba este mensaje, ignórelo y avise a un administrador.',
    ],
  },
  en: {
    subject: 'Your operator account at Rubrica',
    preview: '{partner} invites you to work in the console of Rubrica.',
    heading: 'Choose your password',
    paragraphs: [
      '{partner} invites you to work as an operator of the certification authority. Open the page, choose a password that only you know, and enrol a second factor.',
    ],
    button: 'Open my account',
    until: 'Valid until',
    notes: [
      'This link is personal and works once: do not forward it.',
      'If you did not expect this message, ignore it and tell an administrator.',
    ],
  },
};

const reset = {
  es: {
    subject: 'Nuevo acceso a su cuenta de operador en Rubrica',
    preview: 'Su contraseña y sus segundos factores fueron retirados.',
    heading: 'Elija una contraseña nueva',
    paragraphs: [
      'Por decisión de {partner} su contraseña, sus códigos y sus llaves de acceso ya no sirven, y sus sesiones terminaron. Abra la página, elija una contraseña nueva y registre otra vez un segundo factor.',
    ],
    button: 'Elegir mi contraseña',
    until: 'Válido hasta',
    notes: [
      'Este enlace es personal y sirve una sola vez: no lo reenvíe.',
      'Si usted no lo pidió, no abra el enlace y avise a un administrador.',
    ],
  },
  en: {
    subject: 'New access to your operator account at Rubrica',
    preview: 'Your password and your second factors were removed.',
    heading: 'Choose a new password',
    paragraphs: [
      'By decision of {partner} your password, your codes and your passkeys no longer work, and your sessions have ended. Open the page, choose a new password and enrol a second factor again.',
    ],
    button: 'Choose my password',
    until: 'Valid until',
    notes: [
      'This link is personal and works once: do not forward it.',
      'If you did not ask for it, leave the link alone and tell an administrator.',
    ],
  },
};

const wrongCodes = {
  es: {
    subject: 'Alguien conoce su contraseña de operador en Rubrica',
    preview: 'Se ingresaron tres códigos de un solo uso incorrectos después de su contraseña.',
    heading: 'Tres códigos incorrectos después de su contraseña',
    paragraphs: [
      'En su cuenta de operador se escribió la contraseña correcta y, a continuación, tres códigos de un solo uso incorrectos. Si no fue usted, alguien conoce su contraseña: cámbiela ahora.',
    ],
    button: 'Cambiar mi contraseña',
    until: '',
    notes: [
      'Tras diez códigos incorrectos seguidos, o treinta en un día, los códigos dejan de aceptarse. Usted podrá ingresar con una llave de acceso o un código de recuperación.',
      'Si no fue usted, avise también a un administrador.',
    ],
  },
  en: {
    subject: 'Someone knows your operator password at Rubrica',
    preview: 'Three wrong one-time codes were entered after your password.',
    heading: 'Three wrong codes after your password',
    paragraphs: [
      'The correct password of your operator account was entered, followed by three wrong one-time codes. If this was not you, someone knows your password: change it now.',
    ],
    button: 'Change my password',
    until: '',
    notes: [
      'After ten wrong codes in a row, or thirty in a day, codes are no longer accepted. You can then sign in with a passkey or a recovery code.',
      'If this was not you, tell an administrator as well.',
    ],
  },
};

const breakGlass = {
  es: {
    subject: 'Aviso: acceso de emergencia a Rubrica',
    preview: 'Desde la máquina se pidió un enlace de emergencia.',
    heading: 'Se pidió un acceso de emergencia',
    paragraphs: [
      'Quien tiene el acceso de dueño a la base de datos pidió un enlace de emergencia ({partner}). Con él se puede, durante una hora, invitar y habilitar operadores y reiniciar sus factores.',
    ],
    button: 'Ver el registro de auditoría',
    until: 'El enlace sirve hasta',
    notes: [
      'Si usted no sabe de esto, averigüe ahora mismo quién lo pidió: está en el registro de auditoría.',
    ],
  },
  en: {
    subject: 'Notice: emergency access to Rubrica',
    preview: 'An emergency link was asked for on the machine.',
    heading: 'Emergency access was asked for',
    paragraphs: [
      'Whoever has the database owner’s access asked for an emergency link ({partner}). For an hour it lets them invite and enable operators and reset their factors.',
    ],
    button: 'Open the audit log',
    until: 'The link works until',
    notes: ['If you know nothing of this, find out now who asked for it: the audit log has it.'],
  },
};

/** Letters to operators about their accounts. */
export const operatorLetters = {
  'operator-invitation': invitation,
  'operator-reset': reset,
  'operator-wrong-codes': wrongCodes,
  'operator-app': appLetter,
  'operator-passkey': passkeyLetter,
  'break-glass': breakGlass,
} as const;
