import type { operations } from '@rubrica/contracts/rest/operations';
import {
  applicant,
  appointmentEnds,
  callbackUrl,
  company,
  fingerCodeMismatch,
  password,
  recordBase,
  references,
  registered,
  registeredAt,
  updatedDate,
} from './applicant.ts';
import type { OperationExamples } from './example.ts';
import { pdf, picture } from './files.ts';

const referenceTransaction = references.linkedPartner;
const identifier = { linkedPartnerRequestId: '0197a3c2-5b1e-7c44-9d0a-3f6e2b8c1d70' } as const;
const named = { ...identifier, referenceTransaction } as const;

const request = {
  ...applicant,
  referenceTransaction,
  period: 'ONE_YEAR',
  certificateType: 'TRADITIONAL_SIGNATURE',
  evidences: [{ evidenceType: 'IDENTITY_DOCUMENT', evidenceFile: pdf }],
  password,
  callbackUrl,
} as const;

type LinkedPartnerOperations = Pick<
  typeof operations,
  | 'registerLinkedPartner'
  | 'registerLinkedPartnerBatch'
  | 'retryLinkedPartner'
  | 'cancelLinkedPartner'
  | 'resendValidationLink'
  | 'linkedPartnerStatus'
>;

export const linkedPartnerExamples = {
  registerLinkedPartner: {
    bodies: {
      'Natural person': { ...request, evidences: [...request.evidences] },
      'Legal representative': {
        ...request,
        applicationType: 'LEGAL_REPRESENTATIVE',
        ...company,
        expirationDateAppointment: appointmentEnds,
        evidences: [...request.evidences],
      },
      'Transactional signature': {
        ...request,
        certificateType: 'TRANSACTIONAL_SIGNATURE',
        period: 'ONE_WEEK',
        evidences: [
          {
            evidenceType: 'SELFIE',
            evidenceFile: picture,
            validatorUrl: 'https://partner.example.com/evidence/1',
          },
        ],
      },
    },
    answer: { ...named, ...registered, createdAt: registeredAt, errors: [] },
  },
  registerLinkedPartnerBatch: {
    bodies: {
      'One of its lines': {
        ...request,
        referenceTransaction: references.batch,
        evidences: [...request.evidences],
      },
    },
    query: {},
    answer: {
      line: 1,
      status: 200,
      body: {
        ...identifier,
        referenceTransaction: references.batch,
        ...registered,
        createdAt: registeredAt,
        errors: [],
      },
    },
  },
  retryLinkedPartner: {
    bodies: {
      'With a correction': { ...identifier, fingerCode: 'V4333V2222' },
      'As it is': { referenceTransaction },
    },
    answer: { ...named, status: 'REGISTERED', retryCount: 1, retriesRemaining: 1, updatedDate },
  },
  cancelLinkedPartner: {
    bodies: { 'With a reason': { ...identifier, reason: 'The applicant withdrew' } },
    answer: { ...named, status: 'CANCELLED', validationStatus: 'ERROR', updatedDate },
  },
  resendValidationLink: {
    bodies: { 'By identifier': identifier },
    answer: {
      ...named,
      status: 'APPROVED',
      sentTo: 'm***@e***.com',
      resendCount: 1,
      resendsRemaining: 4,
      linkExpiresAt: '2027-01-09T19:22:41.380',
      updatedDate,
    },
  },
  linkedPartnerStatus: {
    query: { referenceTransaction },
    answer: { ...named, ...recordBase, ...fingerCodeMismatch },
  },
} satisfies OperationExamples<LinkedPartnerOperations>;
