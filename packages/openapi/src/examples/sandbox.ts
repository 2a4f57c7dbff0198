import type { sandboxOperations } from '@rubrica/contracts/rest/sandbox';
import { references } from './applicant.ts';
import type { OperationExamples } from './example.ts';

const { linkedPartner: referenceTransaction } = references;

export const sandboxExamples = {
  advanceClock: {
    bodies: { 'To the end of a claim window': { referenceTransaction, days: 50 } },
    answer: { referenceTransaction, advancedDays: 50, now: '2027-01-09T14:22:40.120' },
  },
} satisfies OperationExamples<typeof sandboxOperations>;
