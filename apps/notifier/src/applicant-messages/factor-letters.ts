interface FactorName {
  readonly es: string;
  readonly en: string;
}

/** Builds the letter about a second factor that was enrolled for an operator's account. */
function createFactorLetter(factor: FactorName) {
  return {
    es: {
      subject: 'Se agregó un segundo factor a su cuenta de operador en Rubrica',
      preview: `Se agregó ${factor.es}.`,
      heading: 'Se agregó un segundo factor',
      paragraphs: [
        `A su cuenta de operador se agregó ${factor.es}. Para hacerlo se escribió su contraseña o se ingresó con la cuenta de su organización.`,
      ],
      button: 'Ver mi cuenta',
      until: '',
      notes: [
        'Si no fue usted, alguien tiene acceso a su cuenta: quite ese factor, cierre las demás sesiones y cambie su contraseña ahora.',
        'Avise también a un administrador.',
      ],
    },
    en: {
      subject: 'A second factor was added to your operator account at Rubrica',
      preview: `${factor.en} was added.`,
      heading: 'A second factor was added',
      paragraphs: [
        `${factor.en} was added to your operator account. Your password was entered for it, or your organisation’s account was used to sign in.`,
      ],
      button: 'Open my account',
      until: '',
      notes: [
        'If this was not you, someone has access to your account: remove that factor, end the other sessions and change your password now.',
        'Tell an administrator as well.',
      ],
    },
  };
}

export const appLetter = createFactorLetter({
  es: 'una aplicación autenticadora, con códigos de recuperación nuevos',
  en: 'An authenticator app, with new recovery codes,',
});
export const passkeyLetter = createFactorLetter({ es: 'una llave de acceso', en: 'A passkey' });
