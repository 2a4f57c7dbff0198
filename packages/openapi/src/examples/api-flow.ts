import type { apiFlowOperations } from '@rubrica/contracts/rest/api-flow';
import {
  applicant,
  callbackUrl,
  notIssued,
  password,
  recordBase,
  references,
  registeredAt,
  validity,
} from './applicant.ts';
import { activeTermsId } from './certificates-and-terms.ts';
import type { OperationExamples } from './example.ts';
import { beginningOfPkcs12, pdf, picture } from './files.ts';

const referenceTransaction = references.signature;
const identifier = { signatureRequestId: '0197a3c2-9f52-7c43-b7e8-2fa051b36c74' } as const;
const named = { ...identifier, referenceTransaction } as const;
const livenessSessionId = '0197a3c3-0063-7d54-88f9-30b162c47d85';

export const apiFlowExamples = {
  requestSignature: {
    bodies: {
      'Natural person': {
        termsAndConditionsId: activeTermsId,
        ...applicant,
        period: 'ONE_YEAR',
        referenceTransaction,
        callbackUrl,
      },
    },
    answer: {
      ...named,
      status: 'REGISTERED',
      nextStep: 'IDENTITY_VALIDATION',
      expiresAt: '2026-11-21T19:22:40.125',
      createdAt: registeredAt,
    },
  },
  validateIdentity: {
    bodies: {
      'Identity card': {
        ...identifier,
        identificationFront: picture,
        identificationBack: picture,
        identificationSelfie: picture,
        isIdentityCertificate: false,
      },
      'Identity certificate': {
        ...identifier,
        identificationFront: pdf,
        identificationSelfie: picture,
        isIdentityCertificate: true,
      },
    },
    answer: {
      ...identifier,
      result: 'APPROVED',
      nextStep: 'LIVENESS_REQUEST',
      attemptsRemaining: 2,
      failureReasons: [],
    },
  },
  requestLiveness: {
    bodies: { 'By identifier': identifier },
    answer: {
      livenessSessionId,
      livenessUrl: `https://rubrica.example.com/liveness/${livenessSessionId}`,
      expiresAt: '2026-11-20T19:32:41.380',
      attemptNumber: 1,
      maxAttempts: 3,
    },
  },
  checkLiveness: {
    bodies: { 'By session': { ...identifier, livenessSessionId } },
    answer: {
      livenessSessionId,
      status: 'SUCCEEDED',
      livenessConfidence: 99.2,
      faceMatchConfidence: 98.6,
      result: 'APPROVED',
      failureReasons: [],
      nextStep: 'ISSUANCE',
    },
  },
  issueSignature: {
    bodies: {
      'Password made by the service': identifier,
      'Password of the applicant': { ...identifier, password },
    },
    answer: {
      ...named,
      status: 'GENERATED',
      validationStatus: 'COMPLETED',
      nextStep: 'NONE',
      file: beginningOfPkcs12,
      password: 'q7Tz-8vKpR2mXw4bN6hD',
      ...validity,
    },
  },
  signatureRequestStatus: {
    query: { referenceTransaction },
    answer: {
      ...named,
      ...recordBase,
      status: 'APPROVED',
      validationStatus: 'COMPLETED',
      observation: null,
      observations: [],
      correctableFields: [],
      ...notIssued,
    },
  },
} satisfies OperationExamples<typeof apiFlowOperations>;
