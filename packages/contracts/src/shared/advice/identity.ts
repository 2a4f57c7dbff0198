import type { Advice } from './advice.ts';

export const identityAdvice = {
  IDENTIFICATION_NUMBER_INVALID: {
    en: [
      'The cédula is not well-formed: its check digit or its province is wrong.',
      'Ask the applicant for it again; it has 10 digits.',
    ],
    es: [
      'La cédula no está bien formada: falla su dígito verificador o su provincia.',
      'Pídala de nuevo al solicitante; tiene 10 dígitos.',
    ],
  },
  IDENTIFICATION_NOT_FOUND: {
    en: [
      'The registry does not know the number.',
      'Check the number. Registries lag behind: a retry later may succeed.',
    ],
    es: [
      'El registro no conoce el número.',
      'Revise el número. Los registros tardan: un reintento posterior puede funcionar.',
    ],
  },
  FINGER_CODE_MISMATCH: {
    en: [
      'The fingerprint code is not that of the present card.',
      'Read it from the back of the newest card and send it with a retry or a correction.',
    ],
    es: [
      'El código dactilar no es el de la cédula vigente.',
      'Léalo del reverso de la cédula más reciente y envíelo en un reintento o corrección.',
    ],
  },
  NAME_MISMATCH: {
    en: [
      'The names differ from those of the registry by more than accents and case.',
      'Send all given names and surnames as the card has them.',
    ],
    es: [
      'Los nombres difieren del registro en más que tildes y mayúsculas.',
      'Envíe todos los nombres y apellidos como constan en la cédula.',
    ],
  },
  APPLICANT_UNDERAGE: {
    en: [
      'The registry says that the applicant is under 18.',
      'The request is refused for good: register anew when they are of age.',
    ],
    es: [
      'Según el registro, el solicitante es menor de 18 años.',
      'La solicitud queda rechazada: regístrela de nuevo cuando sea mayor de edad.',
    ],
  },
  APPLICANT_DECEASED: {
    en: [
      'The registry reports a death.',
      'The request is refused for good. If this is wrong, the registry has to correct it first.',
    ],
    es: [
      'El registro indica un fallecimiento.',
      'La solicitud queda rechazada. Si es un error, primero lo corrige el registro.',
    ],
  },
  DOCUMENT_ILLEGIBLE: {
    en: ['The picture of the document cannot be read.', 'Send it anew: whole, sharp, without reflections.'],
    es: ['La imagen del documento no se puede leer.', 'Envíela de nuevo: completa, nítida y sin reflejos.'],
  },
  SELFIE_MISMATCH: {
    en: [
      'The face of the selfie is not that of the document.',
      'Send a new selfie of the applicant, from the front and in good light.',
    ],
    es: [
      'El rostro de la selfie no es el del documento.',
      'Envíe otra selfie del solicitante, de frente y con buena luz.',
    ],
  },
  RUC_INVALID: {
    en: ['The RUC is not well-formed.', 'It has 13 digits; check it with the company.'],
    es: ['El RUC no está bien formado.', 'Tiene 13 dígitos; revíselo con la empresa.'],
  },
  RUC_INACTIVE: {
    en: [
      'The tax registry says that the company is suspended or closed.',
      'Once the company is active again, retry.',
    ],
    es: [
      'Según el registro tributario, la empresa está suspendida o cerrada.',
      'Cuando la empresa esté activa otra vez, reintente.',
    ],
  },
  REPRESENTATIVE_NOT_CONFIRMED: {
    en: [
      'The registry names another person as representative of the company.',
      'Check who represents it; a new appointment may take days to appear. Then retry.',
    ],
    es: [
      'El registro nombra a otra persona como representante.',
      'Revise quién la representa; un nombramiento nuevo puede tardar días. Luego reintente.',
    ],
  },
  EVIDENCE_INVALID: {
    en: [
      'An item of `evidences` cannot be decoded, or is of a type that is not taken.',
      'Retry with sound `evidences`: base64 of a JPEG, PNG, PDF, MP4, MOV or WebM.',
    ],
    es: [
      'Un elemento de `evidences` no se puede decodificar, o es de un tipo no aceptado.',
      'Reintente con `evidences` correctas: base64 de JPEG, PNG, PDF, MP4, MOV o WebM.',
    ],
  },
  EVIDENCE_MISSING: {
    en: [
      '`evidences` is empty, or an item has neither `evidenceFile` nor `validatorUrl`.',
      'Send at least one evidence.',
    ],
    es: [
      '`evidences` está vacío, o un elemento no tiene `evidenceFile` ni `validatorUrl`.',
      'Envíe al menos una evidencia.',
    ],
  },
  REVIEW_REJECTED: {
    en: [
      'A reviewer looked at the request and rejected it.',
      'Final. Ask the certification authority for the reason before you register anew.',
    ],
    es: [
      'Un revisor examinó la solicitud y la rechazó.',
      'Es definitivo. Pregunte el motivo a la entidad de certificación antes de registrar otra.',
    ],
  },
  APPLICANT_DISPUTED: {
    en: [
      'The applicant opened the claim and said that it was not them.',
      'The request is refused for good. Find out who gave you the data before you register anew.',
    ],
    es: [
      'El solicitante abrió el enlace de retiro y dijo que no fue él.',
      'La solicitud queda rechazada. Averigüe quién le dio los datos antes de registrar otra.',
    ],
  },
  APPLICANT_DATA_WRONG: {
    en: [
      'The applicant opened the claim and said that the data are wrong.',
      'Ask them, and correct names, e-mails or phone: `correctableFields` names what may change.',
    ],
    es: [
      'El solicitante abrió el enlace de retiro y dijo que los datos están mal.',
      'Pregúntele y corrija nombres, correos o celular: `correctableFields` nombra lo que puede cambiar.',
    ],
  },
  LIVENESS_FAILED: {
    en: ['The proof of life was not passed.', 'Begin another one: there are three attempts.'],
    es: ['No se superó la prueba de vida.', 'Empiece otra: hay tres intentos.'],
  },
  LIVENESS_SESSION_EXPIRED: {
    en: ['The applicant did not finish in time.', 'Begin another proof of life and send its `livenessUrl`.'],
    es: ['El solicitante no terminó a tiempo.', 'Empiece otra prueba de vida y envíe su `livenessUrl`.'],
  },
  LIVENESS_ATTEMPTS_EXCEEDED: {
    en: ['All three attempts have failed; the request is refused.', 'Register a new request.'],
    es: ['Fallaron los tres intentos; la solicitud queda rechazada.', 'Registre una solicitud nueva.'],
  },
} as const satisfies Readonly<Record<string, Advice>>;
