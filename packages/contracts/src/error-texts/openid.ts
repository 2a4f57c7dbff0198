import { defineTexts } from './define-texts.ts';

/** Refusals of a sign-in at the operator's organisation: what happened, and what to do. */
export const openIdTexts = defineTexts({
  'openId.refusal': { en: '{title:text}. {advice:text}', es: '{title:text}. {advice:text}' },
  'openId.start-again.title': {
    en: 'Start again',
    es: 'Vuelva a empezar',
  },
  'openId.start-again.advice': {
    en: 'This sign-in was used before, took more than ten minutes, or began in another browser.',
    es: 'Este inicio de sesión ya se usó, tardó más de diez minutos o comenzó en otro navegador.',
  },
  'openId.declined.title': {
    en: 'Your organisation did not let you in',
    es: 'Su organización no le dejó entrar',
  },
  'openId.declined.advice': {
    en: 'You broke off, or the sign-in of your organisation refused. You can try again.',
    es: 'Usted canceló, o el inicio de sesión de su organización lo rechazó. Puede intentarlo de nuevo.',
  },
  'openId.second-factor.title': {
    en: 'The second factor is missing',
    es: 'Falta el segundo factor',
  },
  'openId.second-factor.advice': {
    en: 'Sign in at your organisation with the second factor, such as your key or your phone.',
    es: 'Inicie sesión en su organización con el segundo factor, por ejemplo con su llave o su teléfono.',
  },
  'openId.no-role.title': {
    en: 'Your account has no role here',
    es: 'Su cuenta no tiene un rol aquí',
  },
  'openId.no-role.advice': {
    en: 'Ask whoever administers the accounts of your organisation for one, and sign in again.',
    es: 'Pida a quien administra las cuentas de su organización que le asigne uno, y vuelva a entrar.',
  },
  'openId.no-address.title': {
    en: 'Your account has no verified e-mail address',
    es: 'Su cuenta no tiene un correo verificado',
  },
  'openId.no-address.advice': {
    en: 'Ask whoever administers the accounts of your organisation to enter it, and sign in again.',
    es: 'Pida a quien administra las cuentas de su organización que lo registre, y vuelva a entrar.',
  },
  'openId.address-taken.title': {
    en: 'There is an operator with your e-mail address',
    es: 'Ya hay un operador con su correo',
  },
  'openId.address-taken.advice': {
    en: 'Sign in with the password of that operator, or ask an administrator to look into it.',
    es: 'Entre con la contraseña de ese operador, o pida a un administrador que lo revise.',
  },
  'openId.disabled.title': {
    en: 'Your account is disabled',
    es: 'Su cuenta está desactivada',
  },
  'openId.disabled.advice': {
    en: 'An administrator can enable it again.',
    es: 'Un administrador puede activarla de nuevo.',
  },
});
