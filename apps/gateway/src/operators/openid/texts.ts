import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import type { Language } from '../../context.ts';

type TitleAndText = readonly [title: string, text: string];

const es = {
  console: [
    'Entre por la consola',
    'Esta dirección entrega sesiones a programas. En un navegador, abra la consola y entre desde allí.',
  ] as TitleAndText,
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
  } as { readonly [Code in ErrorCode]?: TitleAndText },
  other: ['Algo salió mal', 'No es culpa suya. Inténtelo de nuevo en unos minutos.'] as TitleAndText,
  again: 'Intentar de nuevo',
  home: 'Volver al inicio',
  trace: 'Si pide ayuda, indique este número:',
};

const en: typeof es = {
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
