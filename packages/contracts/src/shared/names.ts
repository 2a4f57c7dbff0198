import type {
  ApplicationType,
  CertificateType,
  DocumentType,
  EvidenceType,
  Period,
  Status,
  ValidationStatus,
} from './enumerations.ts';

/** Name of a value for people, in both languages. */
export interface Names {
  readonly es: string;
  readonly en: string;
}

/** Names of all values: a missing value does not compile. */
type NameTable<Value extends string> = Readonly<Record<Value, Names>>;

export const periodNames: NameTable<Period> = {
  ONE_WEEK: { es: 'Una semana', en: 'One week' },
  ONE_MONTH: { es: 'Un mes', en: 'One month' },
  ONE_YEAR: { es: 'Un año', en: 'One year' },
  TWO_YEARS: { es: 'Dos años', en: 'Two years' },
  THREE_YEARS: { es: 'Tres años', en: 'Three years' },
  FOUR_YEARS: { es: 'Cuatro años', en: 'Four years' },
  FIVE_YEARS: { es: 'Cinco años', en: 'Five years' },
};

export const documentTypeNames: NameTable<DocumentType> = {
  CI: { es: 'Cédula de identidad', en: 'Identity card' },
};

export const applicationTypeNames: NameTable<ApplicationType> = {
  NATURAL_PERSON: { es: 'Persona natural', en: 'Natural person' },
  LEGAL_REPRESENTATIVE: { es: 'Representante legal', en: 'Legal representative' },
};

/** Names of certificate types, and of the terms for them. */
export const certificateTypeNames: NameTable<CertificateType> = {
  TRADITIONAL_SIGNATURE: { es: 'Firma tradicional', en: 'Traditional signature' },
  TRANSACTIONAL_SIGNATURE: { es: 'Firma transaccional', en: 'Transactional signature' },
};

export const statusNames: NameTable<Status> = {
  REGISTERED: { es: 'Registrada', en: 'Registered' },
  VALIDATING: { es: 'En validación', en: 'Being validated' },
  ERROR: { es: 'Con error', en: 'In error' },
  APPROVED: { es: 'Aprobada', en: 'Approved' },
  GENERATING: { es: 'Generando el certificado', en: 'Certificate being generated' },
  GENERATED: { es: 'Certificado generado', en: 'Certificate generated' },
  REFUSED: { es: 'Rechazada', en: 'Refused' },
  CANCELLED: { es: 'Cancelada', en: 'Cancelled' },
  EXPIRED: { es: 'Caducada', en: 'Expired' },
};

export const validationStatusNames: NameTable<ValidationStatus> = {
  PENDING: { es: 'Pendiente', en: 'Pending' },
  AUTOMATICALLY_VALIDATING: { es: 'En validación automática', en: 'Being validated automatically' },
  MANUALLY_VALIDATING: { es: 'En revisión manual', en: 'Being reviewed by a person' },
  ERROR: { es: 'Con error', en: 'In error' },
  REFUSED: { es: 'Rechazada', en: 'Refused' },
  COMPLETED: { es: 'Completada', en: 'Completed' },
};

export const evidenceTypeNames: NameTable<EvidenceType> = {
  IDENTITY_DOCUMENT: { es: 'Documento de identidad', en: 'Identity document' },
  SELFIE: { es: 'Selfie', en: 'Selfie' },
  LIVENESS_VIDEO: { es: 'Video de prueba de vida', en: 'Liveness video' },
  CONTRACT: { es: 'Contrato', en: 'Contract' },
  AUTHORIZATION: { es: 'Autorización', en: 'Authorization' },
  OTHER: { es: 'Otra', en: 'Other' },
};
