import type { Meaning } from './meaning.ts';

const bytes = 'Bytes: lista de enteros (de -128 a 255) o base64, con o sin prefijo data:';
const file = 'Bytes: an array of integers (-128 to 255) or base64, with or without a data: prefix';

/** Meanings of fields that register, correct and manage a request. */
export const requestMeanings = {
  identificationNumber: ['Cédula of the applicant, 10 digits', 'Cédula del solicitante, 10 dígitos'],
  newReferenceTransaction: [
    'Your reference for the new request, never used before',
    'Su referencia para la solicitud nueva, nunca usada antes',
  ],
  supersede: [
    'true: once the new certificate is issued, the former one is revoked with the reason `superseded`. Otherwise it stays valid until its end',
    'true: al emitirse el certificado nuevo, el anterior se revoca con el motivo `superseded`. De lo contrario sigue válido hasta su fin',
  ],
  fingerCode: [
    'Fingerprint code of the identity card, 10 characters',
    'Código dactilar de la cédula, 10 caracteres',
  ],
  applicantName: [
    'Given names of the applicant as in the registry, ignoring accents and case',
    'Nombres del solicitante como constan en el registro, sin importar tildes ni mayúsculas',
  ],
  applicantLastName: ['First surname', 'Primer apellido'],
  applicantSecondLastName: [
    'Second surname; omit it if there is none',
    'Segundo apellido; se omite si no existe',
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
    'Name or code of a province, ignoring accents and case',
    'Nombre o código de una provincia, sin importar tildes ni mayúsculas',
  ],
  city: ['City in which the applicant lives', 'Ciudad en la que vive el solicitante'],
  'RegularRequest.city': [
    'Name or code of a canton of the province, ignoring accents and case',
    'Nombre o código de un cantón de la provincia, sin importar tildes ni mayúsculas',
  ],
  address: ['Street address of the applicant', 'Dirección domiciliaria del solicitante'],
  countryCode: ['Country, ISO 3166-1 alpha-3: `ECU`', 'País, ISO 3166-1 alfa-3: `ECU`'],
  documentType: ['Type of identity document', 'Tipo de documento de identidad'],
  applicationType: [
    'Type of applicant: a natural person, or a representative of a company, whose fields are then required',
    'Tipo de solicitante: una persona natural, o un representante de una empresa, cuyos campos son entonces obligatorios',
  ],
  certificateType: [
    'Traditional: valid for the time that `period` states. Transactional: one week, for one transaction',
    'Tradicional: válido por el tiempo que indica `period`. Transaccional: una semana, para una transacción',
  ],
  period: ['Validity period of the certificate', 'Período de validez del certificado'],
  'LinkedPartnerRequest.period': [
    'Required for TRADITIONAL_SIGNATURE; only ONE_WEEK for TRANSACTIONAL_SIGNATURE',
    'Obligatorio con TRADITIONAL_SIGNATURE; solo ONE_WEEK con TRANSACTIONAL_SIGNATURE',
  ],
  referenceTransaction: [
    'Your own identifier of the request, unique among all your requests; a repeat is 409',
    'Su propio identificador de la solicitud, único entre todas las suyas; si se repite, 409',
  ],
  callbackUrl: [
    'Public https address that receives the events of this request; the embedded stack accepts loopback too',
    'Dirección https pública que recibe los eventos de esta solicitud; la instalación de desarrollo acepta también loopback',
  ],
  companyRuc: [
    'RUC of the company, or of the applicant as a natural person, 13 digits. A natural person’s certificate contains it if it begins with the cédula',
    'RUC de la empresa, o del solicitante como persona natural, 13 dígitos. El certificado de una persona natural lo contiene si empieza con la cédula',
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
    'Proof that the partner has identified the applicant, 1 to 20 items',
    'Pruebas de que el tercero identificó al solicitante, de 1 a 20 elementos',
  ],
  evidenceFile: [file, bytes],
  evidenceType: ['Type of the evidence', 'Tipo de la evidencia'],
  validatorUrl: [
    'Address where the evidence can be viewed. Stored, never fetched',
    'Dirección donde se puede consultar la evidencia. Se guarda, nunca se consulta',
  ],
  password: [
    'Password of the file: 8 to 64 characters of printable ASCII (U+0020 to U+007E), used unchanged',
    'Contraseña del archivo: de 8 a 64 caracteres ASCII imprimibles (U+0020 a U+007E), sin ningún cambio',
  ],
  'RetryRequest.password': [
    'Not accepted once the applicant has claimed the request (409): only they know the password',
    'No se acepta si el solicitante ya retiró el certificado (409): solo él conoce la contraseña',
  ],
  'SignatureRequest.password': [
    'May be sent at issuance instead; without one the service generates it',
    'También puede enviarse en la emisión; si no se envía, la genera el servicio',
  ],
  'TransactionalRequest.password': [
    'Without one the service generates it',
    'Si no se envía, la genera el servicio',
  ],
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
    'Must be true if an identity image is an identity and civil-status certificate',
    'Debe ser true si una imagen es un certificado de identidad y estado civil',
  ],
  termsAndConditionsId: [
    'Id of the active terms that the applicant has accepted',
    'Id de los términos vigentes que el solicitante aceptó',
  ],
  days: ['Days to advance; calls add up', 'Días que se adelantan; las llamadas se suman'],
  dryRun: [
    '`true`: makes every check of the registration and stores nothing',
    '`true`: se hacen todas las validaciones del registro y no se guarda nada',
  ],
  reason: ['Reason, for the record', 'Motivo, para el registro'],
  'RevokeCertificate.reason': ['Reason, as named in RFC 5280 §5.3.1', 'Motivo, según RFC 5280 §5.3.1'],
  comment: ['Stored in the audit log', 'Se guarda en el registro de auditoría'],
} as const satisfies Readonly<Record<string, Meaning>>;
