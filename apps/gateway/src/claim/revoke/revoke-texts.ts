import type { Language } from '../../context.ts';

type TitleAndText = readonly [title: string, text: string];

/** Texts of the page for subscribers, without codes or field names. */
const es = {
  begin: [
    'Revocar su certificado',
    'Si perdió el archivo o alguien más conoce su contraseña, revóquelo. Un certificado revocado no vuelve a ser válido.',
  ] as TitleAndText,
  identification: 'Número de cédula',
  serial: 'Número de serie del certificado',
  serialHint:
    'Está en la página de descarga, y en los detalles del certificado de cualquier documento que firmó.',
  send: 'Enviar un código',
  sendHint: 'Lo enviaremos al teléfono registrado en su solicitud.',
  enter: [
    'Escriba el código',
    'Si los datos corresponden a un certificado, enviamos un código de seis dígitos al teléfono registrado. Vence en cinco minutos.',
  ] as TitleAndText,
  code: 'Código de seis dígitos',
  codeHint: 'Solo sirve en este navegador.',
  why: '¿Por qué lo revoca?',
  reasons: {
    keyCompromise: 'Perdí el archivo, o alguien más lo tiene o conoce su contraseña',
    unspecified: 'Otro motivo',
  },
  submit: 'Revocar mi certificado',
  forGood: 'Esto no se puede deshacer.',
  again: 'Empezar de nuevo',
  done: [
    'Su certificado está revocado',
    'Quien compruebe una firma hecha desde ahora verá que el certificado ya no vale. Las firmas anteriores siguen siendo válidas donde consta cuándo se hicieron.',
  ] as TitleAndText,
  already: ['Este certificado ya estaba revocado', 'No hace falta hacer nada más.'] as TitleAndText,
  problem: 'Revise esto',
  faults: {
    identificationNumber: 'Escriba su número de cédula.',
    serialNumber: 'Escriba el número de serie: letras de la A a la F y números.',
    code: 'El código no es correcto o ya venció. Compruebe los datos, o empiece de nuevo para recibir otro.',
    reason: 'Elija un motivo.',
    page: 'No se pudo completar ahora. Inténtelo de nuevo en un momento.',
  },
};

export type Texts = typeof es;

const en: Texts = {
  begin: [
    'Revoke your certificate',
    'If you lost the file, or another person knows its password, revoke it. A revoked certificate never becomes valid again.',
  ],
  identification: 'Identification number (cédula)',
  serial: 'Serial number of the certificate',
  serialHint:
    'It is on the download page, and in the details of the certificate in any document that you signed.',
  send: 'Send a code',
  sendHint: 'We send it to the telephone of your request.',
  enter: [
    'Enter the code',
    'If these belong to a certificate, we have sent a code of six digits to the telephone on file. It ends after five minutes.',
  ],
  code: 'Code of six digits',
  codeHint: 'It works in this browser only.',
  why: 'Why do you revoke it?',
  reasons: {
    keyCompromise: 'I lost the file, or another person has it or knows its password',
    unspecified: 'Another reason',
  },
  submit: 'Revoke my certificate',
  forGood: 'This cannot be undone.',
  again: 'Begin again',
  done: [
    'Your certificate is revoked',
    'Whoever checks a signature made from now on sees that the certificate is not valid any more. Earlier signatures stay valid where it is shown when they were made.',
  ],
  already: ['This certificate was revoked before', 'There is nothing more to do.'],
  problem: 'Look at this',
  faults: {
    identificationNumber: 'Enter your identification number.',
    serialNumber: 'Enter the serial number: letters from A to F and digits.',
    code: 'The code is not correct, or has ended. Check what you entered, or begin again to get another.',
    reason: 'Choose a reason.',
    page: 'This could not be done now. Try again in a moment.',
  },
};

export const revokeTexts: Readonly<Record<Language, Texts>> = { es, en };
