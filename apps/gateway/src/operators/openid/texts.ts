import type { OpenIdRefusal } from '@rubrica/contracts/services/schemas/openid';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import type { Language } from '../../context.ts';

type Titled = readonly [title: string, text: string];

const es = {
  refusals: {
    'start-again': [
      'Vuelva a empezar',
      'Este inicio de sesión ya se usó, tardó más de diez minutos o comenzó en otro navegador.',
    ],
    declined: [
      'Su organización no le dejó entrar',
      'Usted canceló, o el inicio de sesión de su organización lo rechazó. Puede intentarlo de nuevo.',
    ],
    'second-factor': [
      'Falta el segundo factor',
      'Inicie sesión en su organización con el segundo factor, por ejemplo con su llave o su teléfono.',
    ],
    'no-role': [
      'Su cuenta no tiene un rol aquí',
      'Pida a quien administra las cuentas de su organización que le asigne uno, y vuelva a entrar.',
    ],
    'no-address': [
      'Su cuenta no tiene un correo verificado',
      'Pida a quien administra las cuentas de su organización que lo registre, y vuelva a entrar.',
    ],
    'address-taken': [
      'Ya hay un operador con su correo',
      'Entre con la contraseña de ese operador, o pida a un administrador que lo revise.',
    ],
    disabled: ['Su cuenta está desactivada', 'Un administrador puede activarla de nuevo.'],
  } satisfies Record<OpenIdRefusal, Titled> as Record<OpenIdRefusal, Titled>,
  console: [
    'Entre por la consola',
    'Esta dirección entrega sesiones a programas. En un navegador, abra la consola y entre desde allí.',
  ] as Titled,
  errors: {
    ROUTE_NOT_FOUND: [
      'No disponible',
      'Aquí no se entra con la cuenta de la organización. Use su correo y su contraseña, o su llave.',
    ],
    RATE_LIMITED: ['Demasiados intentos', 'Espere un momento e inténtelo de nuevo.'],
    SERVICE_UNAVAILABLE: [
      'Vuelva en un momento',
      'El inicio de sesión de su organización no está disponible ahora.',
    ],
  } as { readonly [Code in ErrorCode]?: Titled },
  other: ['Algo salió mal', 'No es culpa suya. Inténtelo de nuevo en unos minutos.'] as Titled,
  again: 'Intentar de nuevo',
  home: 'Volver al inicio',
  trace: 'Si pide ayuda, indique este número:',
};

const en: typeof es = {
  refusals: {
    'start-again': [
      'Start again',
      'This sign-in was used before, took more than ten minutes, or began in another browser.',
    ],
    declined: [
      'Your organisation did not let you in',
      'You broke off, or the sign-in of your organisation refused. You can try again.',
    ],
    'second-factor': [
      'The second factor is missing',
      'Sign in at your organisation with the second factor, such as your key or your phone.',
    ],
    'no-role': [
      'Your account has no role here',
      'Ask whoever administers the accounts of your organisation for one, and sign in again.',
    ],
    'no-address': [
      'Your account has no verified e-mail address',
      'Ask whoever administers the accounts of your organisation to enter it, and sign in again.',
    ],
    'address-taken': [
      'There is an operator with your e-mail address',
      'Sign in with the password of that operator, or ask an administrator to look into it.',
    ],
    disabled: ['Your account is disabled', 'An administrator can enable it again.'],
  },
  console: [
    'Sign in at the console',
    'This address gives sessions to programs. In a browser, open the console and sign in there.',
  ],
  errors: {
    ROUTE_NOT_FOUND: [
      'Not available',
      'Nobody signs in with an account of the organisation here. Use your e-mail address and password, or your passkey.',
    ],
    RATE_LIMITED: ['Too many tries', 'Wait a moment and try again.'],
    SERVICE_UNAVAILABLE: ['Come back in a moment', 'The sign-in of your organisation is not available now.'],
  },
  other: ['Something went wrong', 'It is not your fault. Try again in a few minutes.'],
  again: 'Try again',
  home: 'Back to the start',
  trace: 'If you ask for help, give this number:',
};

export const texts: Readonly<Record<Language, typeof es>> = { es, en };
