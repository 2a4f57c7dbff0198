import type { LivenessPageState } from '@rubrica/contracts/services/schemas/api-flow';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import type { Language } from '../context.ts';

type TitleAndText = readonly [title: string, text: string];

/** Texts of the page for applicants, without codes or field names. */
const es = {
  states: {
    READY: ['Prueba de vida', 'Compruebe que es usted quien pide la firma electrónica.'],
    DONE: ['Listo', 'Ya puede cerrar esta página y volver a la aplicación donde empezó.'],
    EXPIRED: [
      'Esta prueba de vida terminó',
      'Vuelva a la aplicación donde empezó: allí podrá pedir otra si todavía hace falta.',
    ],
  } satisfies Record<LivenessPageState, TitleAndText> as Record<LivenessPageState, TitleAndText>,
  partner: 'Solicitado por',
  until: 'Vale hasta las',
  sandbox: 'Este es un entorno de pruebas: no se usa la cámara ni se guarda ninguna imagen.',
  submit: 'Hacer la prueba de vida',
  errors: {
    REQUEST_NOT_FOUND: ['Este enlace no es válido', 'Compruebe que lo abrió completo.'],
    ROUTE_NOT_FOUND: ['Esta página no existe', 'Abra el enlace que recibió.'],
    FORBIDDEN: ['No se pudo enviar', 'El formulario llegó desde otra página. Abra el enlace que recibió.'],
    RATE_LIMITED: ['Demasiadas visitas', 'Espere un momento e inténtelo de nuevo.'],
    SERVICE_UNAVAILABLE: [
      'Vuelva en un momento',
      'El servicio no está disponible ahora. Su enlace sigue valiendo.',
    ],
  } as { readonly [Code in ErrorCode]?: TitleAndText },
  other: ['Algo salió mal', 'No es culpa suya. Inténtelo de nuevo en unos minutos.'] as TitleAndText,
  again: 'Intentar de nuevo',
  trace: 'Si pide ayuda, indique este número:',
};

export type Texts = typeof es;

const en: Texts = {
  states: {
    READY: ['Proof of life', 'Confirm that it is you who asks for the electronic signature.'],
    DONE: ['Done', 'You may close this page and go back to where you began.'],
    EXPIRED: [
      'This proof of life has ended',
      'Go back to where you began: you can ask for another one there, if it is still needed.',
    ],
  },
  partner: 'Requested by',
  until: 'Available until',
  sandbox: 'This is a test environment: no camera is used and no picture is kept.',
  submit: 'Do the proof of life',
  errors: {
    REQUEST_NOT_FOUND: ['This link is not valid', 'Check that you opened all of it.'],
    ROUTE_NOT_FOUND: ['This page does not exist', 'Open the link that you were given.'],
    FORBIDDEN: [
      'It could not be sent',
      'The form came from another page. Open the link that you were given.',
    ],
    RATE_LIMITED: ['Too many visits', 'Wait a moment and try again.'],
    SERVICE_UNAVAILABLE: [
      'Come back in a moment',
      'The service is not available now. Your link is still good.',
    ],
  },
  other: ['Something went wrong', 'It is not your fault. Try again in a few minutes.'],
  again: 'Try again',
  trace: 'If you ask for help, give this number:',
};

export const texts: Readonly<Record<Language, Texts>> = { es, en };
