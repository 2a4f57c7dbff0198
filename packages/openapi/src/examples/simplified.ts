import type { simplifiedOperations } from '@rubrica/contracts/rest/simplified';
import {
  callbackUrl,
  email,
  issued,
  person,
  recordBase,
  references,
  registered,
  registeredAt,
  updatedDate,
} from './applicant.ts';
import type { OperationExamples } from './example.ts';

const referenceTransaction = references.simplified;
const identifier = { simplifiedRequestId: '0197a3c2-8e41-7b32-a6d7-1e9f40a25b63' } as const;
const named = { ...identifier, referenceTransaction } as const;

export const simplifiedExamples = {
  registerSimplified: {
    bodies: {
      'All fields': {
        ...person,
        emailAddress: email,
        period: 'ONE_YEAR',
        referenceTransaction,
        callbackUrl,
      },
    },
    answer: { ...named, ...registered, createdAt: registeredAt },
  },
  simplifiedStatus: {
    query: { referenceTransaction },
    answer: { ...named, ...recordBase, ...issued },
  },
  cancelSimplified: {
    bodies: { 'With a reason': { ...identifier, reason: 'The applicant withdrew' } },
    answer: { ...named, status: 'CANCELLED', validationStatus: 'COMPLETED', updatedDate },
  },
} satisfies OperationExamples<typeof simplifiedOperations>;
