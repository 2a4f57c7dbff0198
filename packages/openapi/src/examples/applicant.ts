import { webhookEvents } from '@rubrica/contracts/rest/webhooks';

const { example: issuedEvent } = webhookEvents['certificate.issued'];

/** Applicant of all examples. In the sandbox it is a living adult whose data the registry confirms. */
export const person = {
  identificationNumber: '1710034065',
  fingerCode: 'V4333V2222',
  cellphoneNumber: '+593991234567',
} as const;

export const email = 'maria@example.com';

/** Names in the families that send them. */
export const applicant = {
  ...person,
  applicantName: 'MARÍA JOSÉ',
  applicantLastName: 'ÑÚÑEZ',
  applicantSecondLastName: 'PAZMIÑO',
  email,
  city: 'Quito',
  address: 'Av. Amazonas N21-147',
  documentType: 'CI',
  applicationType: 'NATURAL_PERSON',
} as const;

/** Additional fields of a legal representative. */
export const company = {
  companyRuc: '1790016919001',
  positionCompany: 'GERENTE GENERAL',
  companySocialReason: 'Cacao & Café del Ecuador S.A.',
} as const;
export const appointmentEnds = '2049-12-31';

export const { password } = issuedEvent;
export const callbackUrl = 'https://partner.example.com/webhooks/rubrica';

/** References of the examples; a `referenceTransaction` is unique over all families. */
export const references = {
  linkedPartner: 'TV-2026-000001',
  batch: 'TV-2026-000002',
  regular: 'FR-2026-000001',
  transactional: 'FT-2026-000001',
  simplified: 'FS-2026-000001',
  signature: 'API-2026-000001',
} as const;

export const registered = { status: 'REGISTERED', validationStatus: 'PENDING' } as const;
export const registeredAt = '2026-11-20 19:22:40';
export const createdDate = '2026-11-20T19:22:40.125';
export const updatedDate = '2026-11-20T19:22:41.380';

/** Dates of a certificate for one year. */
export const validity = {
  serialNumber: issuedEvent.serialNumber,
  notBefore: '2026-11-20T19:22:43.000',
  notAfter: '2027-11-20T19:22:43.000',
} as const;

/** Fields of a status record that are equal in all examples. */
export const recordBase = {
  applicationType: 'NATURAL_PERSON',
  certificateType: 'TRADITIONAL_SIGNATURE',
  period: 'ONE_YEAR',
  retryCount: 0,
  retriesRemaining: 2,
  createdDate,
  updatedDate,
} as const;

export const notIssued = {
  serialNumber: null,
  notBefore: null,
  notAfter: null,
  certificateStatus: null,
} as const;

/** Status of a request that stopped at a fault that the partner can correct. */
export const fingerCodeMismatch = {
  status: 'ERROR' as const,
  validationStatus: 'ERROR' as const,
  observation: {
    type: 'ALERT' as const,
    code: 'FINGER_CODE_MISMATCH',
    message: 'The fingerprint code does not match the registry',
    createdDate: updatedDate,
  },
  observations: [],
  correctableFields: ['fingerCode'],
  ...notIssued,
};

/** Status of a request with its certificate. */
export const issued = {
  status: 'GENERATED' as const,
  validationStatus: 'COMPLETED' as const,
  observation: null,
  observations: [],
  correctableFields: [],
  ...validity,
  certificateStatus: 'VALID' as const,
};
