import type { ClaimReport } from '@rubrica/contracts/services/schemas/claims';
import type { Weakness } from '@rubrica/password-screen/weakness';
import type { ClaimState } from '../types.ts';

/** Texts of the pages for applicants, without codes or field names. */
export const es = {
  steps: ['Datos', 'Código', 'Contraseña', 'Certificado'],
  stepsLabel: 'Pasos',
  title: {
    OPEN: 'Su firma electrónica está aprobada',
    IN_PROGRESS: 'Estamos emitiendo su certificado',
    ISSUED: 'Su certificado está listo',
    DOWNLOAD_ENDED: 'La descarga ya terminó',
    ENDED: 'Esta solicitud terminó',
  } satisfies Record<ClaimState, string>,
  lead: {
    OPEN: 'Revise sus datos y pida el código para retirar su certificado.',
    IN_PROGRESS: 'Suele tardar menos de un minuto. Puede cerrar esta página y volver con el mismo enlace.',
    ISSUED: 'Para descargarlo en este navegador, pida un código.',
    DOWNLOAD_ENDED: 'El archivo ya no se conserva. El certificado que descargó sigue siendo suyo.',
    ENDED: 'No se emitirá ningún certificado con este enlace.',
  } satisfies Record<ClaimState, string>,
  facts: {
    applicant: 'Solicitante',
    identification: 'Cédula',
    kind: 'Certificado',
    company: 'Empresa',
    partner: 'Solicitado por',
    contact: 'Contacto',
    until: 'Enlace válido hasta',
    serialNumber: 'Número de serie',
    notAfter: 'Vence el',
    downloadUntil: 'Descarga hasta',
  },
  applicationType: { NATURAL_PERSON: 'Persona natural', LEGAL_REPRESENTATIVE: 'Representante legal' },
  period: {
    ONE_WEEK: 'una semana',
    ONE_MONTH: 'un mes',
    ONE_YEAR: 'un año',
    TWO_YEARS: 'dos años',
    THREE_YEARS: 'tres años',
    FOUR_YEARS: 'cuatro años',
    FIVE_YEARS: 'cinco años',
  },
  who: {
    haveCode: 'Escribir el código que recibí',
    goOn: 'Continuar',
    wrong: '¿Algo no está bien?',
  },
  code: {
    title: 'Escriba el código',
    /** Followed by the destination. */
    willGo: { sms: 'Llegará por mensaje de texto al', email: 'Llegará por correo a' },
    wasSent: { sms: 'Lo enviamos por mensaje de texto al', email: 'Lo enviamos por correo a' },
    validUntil: 'Vale hasta las',
    triesLeft: { one: 'Queda # intento.', other: 'Quedan # intentos.' },
    spentTitle: 'Necesita un código nuevo',
    spent: 'Por su seguridad, el código anterior ya no vale. Su solicitud y su enlace siguen igual.',
    send: 'Enviar código',
    sendAgain: 'Enviar otro código',
    label: 'Código de seis cifras',
    submit: 'Continuar',
  },
  password: {
    title: 'Elija su contraseña',
    lead: 'No la guardamos: si la olvida, necesitará otro certificado.',
    label: 'Contraseña del certificado',
    hint: 'De 8 a 64 caracteres, sin tildes ni ñ. Por ejemplo, varias palabras sueltas.',
    confirmation: 'Repita la contraseña',
    show: 'Mostrar contraseñas',
    strength: ['Muy corta', 'Débil', 'Aceptable', 'Buena', 'Muy buena'],
    strengthLabel: 'Seguridad',
    mismatch: 'Las dos contraseñas no son iguales.',
    unfit:
      'Escriba la contraseña sin tildes, sin ñ y sin otros signos especiales: muchos programas de firma no abren el archivo con ellos.',
    terms: 'Términos y condiciones',
    termsRead: (version: string) => `Leer los términos (versión ${version})`,
    acceptTerms: 'He leído y acepto los términos',
    submit: 'Emitir mi certificado',
  },
  progress: { working: 'Emitiendo…', refresh: 'Actualizar ahora' },
  /** Claimed, and a reviewer checks it before the certificate is issued. */
  review: {
    title: 'Estamos revisando sus datos',
    lead: 'Una persona revisa su solicitud antes de emitir el certificado. Puede tardar unas horas. Cierre esta página si quiere: le avisaremos por correo.',
    working: 'En revisión…',
  },
  /** Claimed, and the partner or an operator must resolve an error. */
  stopped: {
    title: 'La emisión de su certificado se detuvo',
    lead: (partner: string) =>
      `Hubo un problema y su certificado aún no se ha emitido. Ya lo sabe ${partner}, que debe resolverlo. Usted no tiene que repetir nada ahora: cuando se resuelva recibirá un correo con el paso siguiente. Si no le llega en dos días, escriba al contacto de abajo.`,
  },
  file: {
    lead: 'En este navegador no necesita otro código hasta las',
    hint: 'Es un archivo .p12. Se abre con la contraseña que usted eligió.',
    submit: 'Descargar certificado',
    again: 'Descargar otra vez',
    legacy: 'Descargar para programas antiguos',
    legacyHint:
      '¿Su programa dice que la contraseña es incorrecta? Quizá no conoce el cifrado actual. Este archivo lleva la misma clave, el mismo certificado y la misma contraseña, pero un cifrado más débil: impórtelo y bórrelo.',
    takenTitle: 'Ya tiene su certificado',
    taken: 'Está entre sus descargas, con este nombre:',
    nameBegin: 'Firma electrónica de',
    nameUntil: 'hasta',
    next: 'Qué hacer ahora',
    keep: 'Cómo guardarlo',
    keepSteps: [
      'Copie el archivo en un lugar seguro, por ejemplo una memoria USB que solo usted tenga. No lo envíe por correo ni por chat.',
      'Guarde la contraseña aparte, mejor en un gestor de contraseñas. Quien tenga el archivo y la contraseña puede firmar por usted.',
    ],
    importInto: 'Cómo importarlo en',
    lost: 'Si lo pierde o alguien más lo tiene',
    lostText: 'Revóquelo cuanto antes: desde ese momento sus firmas ya no valdrán. Después podrá pedir otro.',
    revoke: 'Revocar mi certificado',
    programs: 'Qué programas lo leen',
  },
  reports: {
    back: 'Volver',
    'not-me': {
      title: 'Yo no pedí este certificado',
      lead: 'Si lo confirma, cerraremos la solicitud: nadie podrá retirar un certificado a su nombre con este enlace. No se puede deshacer. Se lo diremos a',
      submit: 'Confirmar que no fui yo',
    },
    'wrong-data': {
      title: 'Los datos no son correctos',
      lead: 'Si lo confirma, pediremos que corrijan su nombre, su correo o su teléfono. Después recibirá otro correo con un enlace nuevo. Se lo pediremos a',
      submit: 'Pedir que los corrijan',
    },
  },
  /** Confirmation of a report. */
  reported: {
    DISPUTED: {
      title: 'Gracias por avisarnos',
      lead: (partner: string) =>
        `La solicitud quedó cerrada y no se emitirá ningún certificado con este enlace. Ya lo sabe ${partner}. Si cree que alguien usó sus datos, hable con esa empresa.`,
    },
    DATA_WRONG: {
      title: 'Pedimos que corrijan sus datos',
      lead: (partner: string) =>
        `Ya se lo pedimos a ${partner}. Cuando estén corregidos recibirá otro correo con un enlace nuevo. No tiene que hacer nada más.`,
    },
  } satisfies Record<ClaimReport, unknown>,
  /** Page of an invalid link. */
  dead: {
    RENEWABLE: {
      title: 'Este enlace ya no sirve',
      lead: 'Lo reemplazó otro más reciente. Use el de nuestro último correo o pida uno nuevo: llegará a la dirección que consta en su solicitud.',
    },
    REPLACED: {
      title: 'Este enlace ya no sirve',
      lead: 'Lo reemplazó otro más reciente. Use el de nuestro último correo o escriba a la empresa que pidió su certificado.',
    },
    EXPIRED: {
      title: 'Este enlace ha caducado',
      lead: 'Terminó el plazo para usarlo. Si todavía necesita el certificado, escriba a la empresa que lo pidió.',
    },
    submit: 'Enviarme un enlace nuevo',
    sent: {
      title: 'Revise su correo',
      lead: 'Si su solicitud sigue abierta, en unos minutos recibirá un enlace nuevo en la dirección que consta en ella. Revise también la carpeta de correo no deseado.',
    },
  },
  next: 'Podrá pedir otro a las',
  nextIn: 'Podrá pedir otro en',
  problem: 'Revise lo siguiente',
  back: 'Ir a mi solicitud',
  /** Contains a duration, such as `1 segundo`. */
  wait: (time: string) => `Espere ${time} e inténtelo de nuevo.`,
  trace: 'Si pide ayuda, indique este número:',
  faults: {
    'acceptTerms TERMS_NOT_ACCEPTED': 'Acepte los términos y condiciones para continuar.',
    'acceptTerms TERMS_OUTDATED': 'Los términos cambiaron. Léalos y acéptelos otra vez.',
    'encoding FIELD_INVALID': 'Elija uno de los dos archivos de abajo.',
    'code FIELD_REQUIRED': 'Escriba el código que le enviamos.',
    'code FIELD_INVALID': 'El código tiene seis cifras.',
    'code OTP_INVALID': 'El código no es correcto.',
    'code OTP_EXPIRED': 'Ese código ya no vale. Pida otro.',
    'code OTP_ATTEMPTS_EXCEEDED': 'Se probaron demasiados códigos.',
    'password FIELD_REQUIRED': 'Elija una contraseña.',
    'password FIELD_INVALID':
      'La contraseña debe tener de 8 a 64 caracteres, sin tildes, sin ñ y sin otros signos especiales: muchos programas de firma no abren el archivo con ellos.',
    'passwordConfirmation FIELD_REQUIRED': 'Repita la contraseña.',
    'passwordConfirmation FIELD_INVALID': 'Las dos contraseñas no son iguales.',
    'send RATE_LIMITED': 'Todavía no puede pedir otro código.',
    'send OTP_ATTEMPTS_EXCEEDED': 'Se probaron demasiados códigos.',
    'link RATE_LIMITED': 'Ya le enviamos un enlace hace poco. Revise su correo.',
    'link RESEND_LIMIT_EXCEEDED':
      'Ya le enviamos varios enlaces. Use el del último correo o escriba a la empresa que pidió su certificado.',
    'link REQUEST_STATE_NOT_ALLOWED':
      'Esta solicitud ya no está abierta. Escriba a la empresa que pidió su certificado.',
    'page OTP_EXPIRED': 'Pasó demasiado tiempo. Pida un código para seguir.',
    'page REQUEST_STATE_NOT_ALLOWED': 'Ese paso ya no es posible. Esto es lo que puede hacer ahora.',
  } as Readonly<Record<string, string>>,
  /** Reasons for refusing a password; each follows `begin`. */
  weakPassword: {
    begin: 'Esa contraseña es fácil de adivinar:',
    personal:
      'contiene datos suyos que otros conocen. No use su nombre, cédula, teléfono, correo ni empresa.',
    common: 'está entre las más usadas. Junte varias palabras sin relación.',
    name: 'es un nombre. Añada otras palabras sin relación.',
    word: 'es poco más que una palabra conocida. Junte varias sin relación.',
    date: 'es una fecha o un año. Junte varias palabras sin relación.',
    keyboard: 'son teclas vecinas. Junte varias palabras sin relación.',
    repeat: 'repite lo mismo. Junte varias palabras sin relación.',
    sequence: 'es una serie, como 1234 o lunes, martes. Junte varias palabras sin relación.',
    short: 'es demasiado corta. Alárguela con otras palabras.',
  } satisfies Record<Weakness | 'begin', string>,
  /** Title and text of an error page, by the catalogue's code. */
  errors: {
    CLAIM_LINK_INVALID: [
      'Este enlace no es válido',
      'Compruebe que lo copió completo. Si le enviamos más de un correo, use el enlace del último.',
    ],
    CLAIM_LINK_EXPIRED: [
      'Este enlace ha caducado',
      'Terminó el plazo para usarlo. Hable con la empresa que pidió su certificado.',
    ],
    REQUEST_STATE_NOT_ALLOWED: [
      'Esta solicitud terminó',
      'No se emitirá un certificado con este enlace. Hable con la empresa que pidió su certificado.',
    ],
    NO_ACTIVE_TERMS: [
      'Todavía no está listo',
      'Su solicitud está aprobada, pero aún faltan los términos y condiciones que debe aceptar. No tiene que hacer nada: su enlace sigue valiendo. Vuelva a abrirlo más tarde.',
    ],
    PAYLOAD_EXPIRED: ['El archivo ya no está disponible', 'Terminó el tiempo en que lo conservamos.'],
    RATE_LIMITED: ['Demasiadas visitas', 'Recibimos demasiadas visitas desde su conexión.'],
    SERVICE_UNAVAILABLE: [
      'Vuelva en un momento',
      'El servicio no está disponible ahora. Sus datos están a salvo y su enlace sigue valiendo.',
    ],
    FORBIDDEN: [
      'No se pudo enviar',
      'El formulario llegó desde otra página. Abra el enlace de nuestro correo.',
    ],
    ROUTE_NOT_FOUND: ['Esta página no existe', 'Abra el enlace de nuestro correo.'],
    INTERNAL_ERROR: ['Algo salió mal', 'No es culpa suya. Inténtelo de nuevo en unos minutos.'],
    OTHER: ['No se pudo hacer', 'Vuelva a abrir el enlace de nuestro correo e inténtelo otra vez.'],
  } as Readonly<Record<string, readonly [string, string]>>,
};

export type Texts = typeof es;
