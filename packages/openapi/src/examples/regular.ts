import type { regularOperations } from '@rubrica/contracts/rest/regular';
import {
  applicant,
  appointmentEnds,
  callbackUrl,
  company,
  email,
  fingerCodeMismatch,
  notIssued,
  person,
  recordBase,
  references,
  registered,
  registeredAt,
} from './applicant.ts';
import type { OperationExamples } from './example.ts';
import { pdf, picture } from './files.ts';

const referenceTransaction = references.regular;
const identifier = { requestId: '0197a3c2-6c2f-7d10-8e4b-92a7c5d01f33' } as const;
const named = { ...identifier, referenceTransaction } as const;

const request = {
  ...person,
  emailAddress: email,
  province: 'Pichincha',
  city: applicant.city,
  address: applicant.address,
  countryCode: 'ECU',
  documentType: applicant.documentType,
  applicationType: applicant.applicationType,
  period: 'ONE_YEAR',
  referenceTransaction,
  callbackUrl,
} as const;

const images = {
  identificationFront: picture,
  identificationBack: picture,
  identificationSelfie: picture,
} as const;

export const regularExamples = {
  registerRegular: {
    bodies: {
      'Natural person': { ...request, ...images },
      'Legal representative': {
        ...request,
        applicationType: 'LEGAL_REPRESENTATIVE',
        ...company,
        appointmentExpirationDate: appointmentEnds,
        ...images,
        pdfCompanyRuc: pdf,
        pdfRepresentativeAppointment: pdf,
        pdfCompanyConstitution: pdf,
      },
      'Identity certificate in place of the identity card': {
        ...request,
        isIdentityCertificate: true,
        identificationFront: pdf,
        identificationSelfie: picture,
      },
    },
    answer: { ...named, createdAt: registeredAt },
  },
  correctRegular: {
    bodies: {
      'Fingerprint code': { ...identifier, fingerCode: 'V4333V2222' },
      'Picture of the document': { referenceTransaction, identificationFront: picture },
      'Run the failed step again': identifier,
    },
    answer: {
      ...named,
      ...recordBase,
      ...registered,
      observation: null,
      observations: [],
      correctableFields: [],
      ...notIssued,
    },
  },
  regularStatus: {
    query: { referenceTransaction },
    answer: { ...named, ...recordBase, ...fingerCodeMismatch },
  },
} satisfies OperationExamples<typeof regularOperations>;
