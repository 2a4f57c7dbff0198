import { usePreferences } from './preferences.tsx';

type Row = readonly [en: string, es: string];

/** Labels of applicants' fields and documents. An unknown field is shown unchanged. */
const names: Readonly<Record<string, Row>> = {
  identificationNumber: ['Identification number', 'Número de identificación'],
  applicantName: ['Given names', 'Nombres'],
  applicantLastName: ['Last name', 'Primer apellido'],
  applicantSecondLastName: ['Second last name', 'Segundo apellido'],
  fingerCode: ['Fingerprint code', 'Código dactilar'],
  email: ['E-mail', 'Correo electrónico'],
  secondEmail: ['Second e-mail', 'Segundo correo'],
  cellphoneNumber: ['Telephone', 'Teléfono'],
  secondCellphoneNumber: ['Second telephone', 'Segundo teléfono'],
  city: ['City', 'Ciudad'],
  province: ['Province', 'Provincia'],
  address: ['Address', 'Dirección'],
  documentType: ['Document type', 'Tipo de documento'],
  companyRuc: ['Company RUC', 'RUC de la empresa'],
  positionCompany: ['Position', 'Cargo'],
  companySocialReason: ['Company name', 'Razón social'],
  expirationDateAppointment: ['Appointment valid until', 'Nombramiento vigente hasta'],
  birthDate: ['Date of birth', 'Fecha de nacimiento'],
  nationality: ['Nationality', 'Nacionalidad'],
  gender: ['Gender', 'Género'],
  isIdentityCertificate: ['Identity certificate', 'Certificado de identidad'],
  evidences: ['Evidence', 'Evidencias'],
  identificationFront: ['Identity card, front', 'Cédula, anverso'],
  identificationBack: ['Identity card, back', 'Cédula, reverso'],
  identificationSelfie: ['Selfie', 'Selfie'],
  pdfCompanyRuc: ['RUC certificate', 'Certificado del RUC'],
  pdfRepresentativeAppointment: ['Appointment', 'Nombramiento'],
  pdfCompanyConstitution: ['Articles of incorporation', 'Escritura de constitución'],
  authorizationVideo: ['Authorization video', 'Video de autorización'],
  IDENTITY_DOCUMENT: ['Identity document', 'Documento de identidad'],
  SELFIE: ['Selfie', 'Selfie'],
  LIVENESS_VIDEO: ['Liveness video', 'Video de prueba de vida'],
  CONTRACT: ['Contract', 'Contrato'],
  AUTHORIZATION: ['Authorization', 'Autorización'],
  OTHER: ['Other', 'Otro'],
};

const order = Object.keys(names);

/** Sorts fields in reading order; unknown ones come last. */
export function sortFieldNames(fields: readonly string[]): string[] {
  const position = (field: string) => (order.includes(field) ? order.indexOf(field) : order.length);
  return fields.toSorted((left, right) => position(left) - position(right));
}

export function useFieldNames(): (name: string) => string {
  const { language } = usePreferences();
  return (name) => {
    const row = Object.hasOwn(names, name) ? names[name] : undefined;
    if (row === undefined) return name;
    return language === 'es' ? row[1] : row[0];
  };
}
