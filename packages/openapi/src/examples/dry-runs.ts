import type { operations } from '@rubrica/contracts/rest/operations';
import { certificatesAndTermsExamples } from './certificates-and-terms.ts';
import type { OperationExamples } from './example.ts';
import { linkedPartnerExamples } from './linked-partner.ts';
import { regularExamples } from './regular.ts';
import { simplifiedExamples } from './simplified.ts';
import { transactionalExamples } from './transactional.ts';

type DryRuns = Pick<typeof operations, Extract<keyof typeof operations, `${string}DryRun`>>;

const answer = {
  valid: true,
  warnings: [
    {
      code: 'UNKNOWN_FIELD',
      field: 'aplicantSecondLastName',
      message:
        'aplicantSecondLastName is not a field of this operation and is ignored; did you mean applicantSecondLastName?',
    },
  ],
};

/** Examples with their own references: those of the other examples are in use once a collection has run. */
export const dryRunExamples = {
  registerLinkedPartnerDryRun: {
    bodies: {
      'Natural person': {
        ...linkedPartnerExamples.registerLinkedPartner.bodies['Natural person'],
        referenceTransaction: 'TV-2026-000003',
      },
    },
    answer,
  },
  registerRegularDryRun: {
    bodies: {
      'Natural person': {
        ...regularExamples.registerRegular.bodies['Natural person'],
        referenceTransaction: 'FR-2026-000003',
      },
    },
    answer,
  },
  registerTransactionalDryRun: {
    bodies: {
      'Password made by the service': {
        ...transactionalExamples.registerTransactional.bodies['Password made by the service'],
        referenceTransaction: 'FT-2026-000003',
      },
    },
    answer,
  },
  registerSimplifiedDryRun: {
    bodies: {
      'All fields': {
        ...simplifiedExamples.registerSimplified.bodies['All fields'],
        referenceTransaction: 'FS-2026-000003',
      },
    },
    answer: { valid: true, warnings: [] },
  },
  renewCertificateDryRun: {
    bodies: {
      'By serial number': {
        ...certificatesAndTermsExamples.renewCertificate.bodies['By serial number'],
        newReferenceTransaction: 'TV-2026-000003-R1',
      },
    },
    answer: { valid: true, warnings: [] },
  },
} satisfies OperationExamples<DryRuns>;
