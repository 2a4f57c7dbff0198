import type { Meaning } from './meaning.ts';

const bytes = 'Bytes: lista de enteros (de -128 a 255) o base64, con o sin prefijo data:';
const file = 'Bytes: an array of integers (-128 to 255) or base64, with or without a data: prefix';

/** Meanings of fields that register, correct and manage a request. */
export const requestMeanings = {
  identificationNumber: ['Cédula of the applicant, 10 digits', 'Cédula del solicitante, 10 dígitos'],
  newReferenceTransaction: [
    'Your reference of the new request, never used before',
    'Su referencia de la solicitud nueva, nunca usada antes',
  ],
  supersede: [
    'true: once the new certificate is issued the former is revoked with `superseded`. Otherwise it runs to its end',
    'true: al emitirse el nuevo, el certificado anterior se revoca con `superseded`. Si no, vale hasta su fin',
  ],
  fingerCode: [
    'Fingerprint code of the identity card, 10 characters',
    'Código dactilar de la cédula, 10 caracteres',
  ],
  applicantName: [
    'Given names of the applicant, as the registry has them; accents and case do not matter',
    'Nombres del solicitante, como constan en el registro; sin importar tildes ni mayúsculas',
  ],
  applicantLastName: ['First surname', 'Primer apellido'],
  applicantSecondLastName: [
    'Second surname; left out by those who have none',
    'Segundo apellido; lo omite quien no lo tiene',
  ],
  email: [
    'Address of the applicant; the claim e-mail goes there',
    'Correo del solicitante; ahí llega el enlace para retirar el certificado',
  ],
  emailAddress: [
    'Address of the applicant; the claim e-mail goes there',
    'Correo del solicitante; ahí llega el enlace para retirar el certificado',
  ],
  secondEmail: [
    'A second address of the applicant, to which codes can be sent',
    'Un segundo correo del solicitante, al que se pueden enviar los códigos',
  ],
  cellphoneNumber: [
    'Mobile number in E.164, for example +593991234567; the codes of the claim go there',
    'Celular en formato E.164, por ejemplo +593991234567; ahí llegan los códigos para el retiro',
  ],
  province: [
    'Name or code of a province; accents and case do not matter',
    'Nombre o código de una provincia; sin importar tildes ni mayúsculas',
  ],
  city: ['City in which the applicant lives', 'Ciudad en la que vive el solicitante'],
  'RegularRequest.city': [
    'Name or code of a canton of the province; accents and case do not matter',
    'Nombre o código de un cantón de la provincia; sin importar tildes ni mayúsculas',
  ],
  address: ['Street address of the applicant', 'Dirección domiciliaria del solicitante'],
  countryCode: ['Country, ISO 3166-1 alpha-3: `ECU`', 'País, ISO 3166-1 alfa-3: `ECU`'],
  documentType: ['Kind of the identity document', 'Tipo de documento de identidad'],
  applicationType: [
    'Whether the applicant signs for themselves or for a company, whose fields are then required',
    'Si el solicitante firma por sí mismo o por una empresa, cuyos campos son entonces obligatorios',
  ],
  certificateType: [
    'Traditional: valid for as long as `period` says. Transactional: one week, for one transaction',
    'Tradicional: vale por el tiempo que indica `period`. Transaccional: una semana, para una transacción',
  ],
  period: ['How long the certificate is valid', 'Tiempo de validez del certificado'],
  'LinkedPartnerRequest.period': [
    'Required for TRADITIONAL_SIGNATURE; only ONE_WEEK for TRANSACTIONAL_SIGNATURE',
    'Obligatorio con TRADITIONAL_SIGNATURE; solo ONE_WEEK con TRANSACTIONAL_SIGNATURE',
  ],
  referenceTransaction: [
    'Your own identifier of the request, unique among all your requests; a repeat is 409',
    'Su propio identificador de la solicitud, único entre todas las suyas; si se repite, 409',
  ],
  callbackUrl: [
    'Public https address to which the events of this request are sent; the embedded stack takes loopback too',
    'Dirección https pública a la que se envían los eventos de esta solicitud; la instalación de desarrollo acepta también loopback',
  ],
  companyRuc: [
    'RUC of the company, or of the applicant as a natural person, 13 digits; a natural person’s certificate has it where it begins with the cédula',
    'RUC de la empresa, o del solicitante como persona natural, 13 dígitos; el certificado de una persona natural lo lleva si empieza con la cédula',
  ],
  positionCompany: ['Position of the applicant in the company', 'Cargo del solicitante en la empresa'],
  companySocialReason: ['Registered name of the company', 'Razón social de la empresa'],
  expirationDateAppointment: [
    'Day on which the appointment ends, in the future: `yyyy-MM-dd`, `yyyy-MM-dd HH:mm:ss` or ISO 8601',
    'Día en que termina el nombramiento, en el futuro: `yyyy-MM-dd`, `yyyy-MM-dd HH:mm:ss` o ISO 8601',
  ],
  appointmentExpirationDate: [
    'Day on which the appointment ends, in the future: `yyyy-MM-dd`, `yyyy-MM-dd HH:mm:ss` or ISO 8601',
    'Día en que termina el nombramiento, en el futuro: `yyyy-MM-dd`, `yyyy-MM-dd HH:mm:ss` o ISO 8601',
  ],
  evidences: [
    'What shows that the partner has identified the applicant, 1 to 20 items',
    'Lo que demuestra que el tercero identificó al solicitante, de 1 a 20 elementos',
  ],
  evidenceFile: [file, bytes],
  evidenceType: ['What the evidence shows', 'Qué muestra la evidencia'],
  validatorUrl: [
    'Where the evidence can be looked at. Stored, never fetched',
    'Dónde se puede consultar la evidencia. Se guarda, nunca se visita',
  ],
  password: [
    'Password of the file: 8 to 64 characters of printable ASCII (U+0020 to U+007E), taken as they are',
    'Contraseña del archivo: de 8 a 64 caracteres ASCII imprimibles (U+0020 a U+007E), tal como llegan',
  ],
  'RetryRequest.password': [
    'Not of a request that its applicant has claimed (409): only they know its password',
    'No se admite si el solicitante ya retiró (409): solo él conoce la contraseña',
  ],
  'SignatureRequest.password': [
    'May be given at issuance instead; without one the service makes it',
    'Puede darse en la emisión; si no se da, la crea el servicio',
  ],
  'TransactionalRequest.password': ['Without one the service makes it', 'Si no se da, la crea el servicio'],
  identificationFront: [
    `Front of the identity document: JPEG, PNG, or an identity certificate as PDF. ${file}`,
    `Anverso del documento de identidad: JPEG, PNG o un certificado de identidad en PDF. ${bytes}`,
  ],
  identificationBack: [
    `Back of the identity document; may be left out with an identity certificate. ${file}`,
    `Reverso del documento de identidad; se puede omitir con un certificado de identidad. ${bytes}`,
  ],
  identificationSelfie: [
    `Selfie of the applicant: JPEG or PNG. ${file}`,
    `Selfie del solicitante: JPEG o PNG. ${bytes}`,
  ],
  pdfCompanyRuc: [
    `Tax registration, required with \`companyRuc\`: PDF. ${file}`,
    `Certificado del RUC, obligatorio con \`companyRuc\`: PDF. ${bytes}`,
  ],
  pdfRepresentativeAppointment: [
    `Appointment of a legal representative: PDF. ${file}`,
    `Nombramiento del representante legal: PDF. ${bytes}`,
  ],
  pdfCompanyConstitution: [
    `Constitution of the company of a legal representative: PDF. ${file}`,
    `Constitución de la empresa del representante legal: PDF. ${bytes}`,
  ],
  authorizationVideo: [
    `Required for applicants aged 65 or more: MP4, MOV or WebM. ${file}`,
    `Obligatorio para solicitantes de 65 años o más: MP4, MOV o WebM. ${bytes}`,
  ],
  isIdentityCertificate: [
    'Must be true where an identity image is an identity and civil-status certificate',
    'Debe ser true si una imagen es un certificado de identidad y estado civil',
  ],
  termsAndConditionsId: [
    'Id of the active terms, which the applicant has accepted',
    'Id de los términos vigentes, que el solicitante aceptó',
  ],
  days: ['Days to let pass; calls add up', 'Días que deben pasar; las llamadas se suman'],
  dryRun: [
    'With `true` all checks of a registration are made and nothing is stored',
    'Con `true` se hacen todas las validaciones de un registro y no se guarda nada',
  ],
  reason: ['Why, for the record', 'Por qué, para el registro'],
  'RevokeCertificate.reason': [
    'Why, in the words of RFC 5280 §5.3.1',
    'Por qué, en las palabras de RFC 5280 §5.3.1',
  ],
  comment: ['Kept in the audit record', 'Se guarda en el registro de auditoría'],
} as const satisfies Readonly<Record<string, Meaning>>;
