import {
  type transactionalOperations,
  type ValidationResult,
  validationChecks,
} from '@rubrica/contracts/rest/transactional';
import {
  applicant,
  callbackUrl,
  password,
  references,
  registered,
  registeredAt,
  validity,
} from './applicant.ts';
import type { OperationExamples } from './example.ts';
import { beginningOfPkcs12 } from './files.ts';

const referenceTransaction = references.transactional;
const named = {
  transactionalRequestId: '0197a3c2-7d30-7a21-b5c6-0d8e3f914a52',
  referenceTransaction,
} as const;

/** Validation steps of a natural person, without a company to check. */
const passed = validationChecks
  .filter((check) => check !== 'COMPANY')
  .map((check): ValidationResult => ({ check, result: 'PASSED', code: null }));

export const transactionalExamples = {
  registerTransactional: {
    bodies: {
      'Password made by the service': { ...applicant, referenceTransaction },
      'Password and webhook of the partner': { ...applicant, referenceTransaction, password, callbackUrl },
    },
    answer: { ...named, ...registered, createdAt: registeredAt },
  },
  transactionalValidationStatus: {
    query: { referenceTransaction },
    answer: {
      ...named,
      status: 'REFUSED',
      validationStatus: 'REFUSED',
      results: [
        { check: 'IDENTITY', result: 'PASSED', code: null },
        { check: 'VITAL_STATUS', result: 'PASSED', code: null },
        { check: 'AGE', result: 'FAILED', code: 'APPLICANT_UNDERAGE' },
        { check: 'FINGER_CODE', result: 'PENDING', code: null },
        { check: 'NAMES', result: 'PENDING', code: null },
      ],
    },
  },
  transactionalCertificate: {
    query: { referenceTransaction },
    answer: {
      ...named,
      file: beginningOfPkcs12,
      password: 'q7Tz-8vKpR2mXw4bN6hD',
      ...validity,
      notAfter: '2026-11-27T19:22:43.000',
      results: passed,
    },
  },
} satisfies OperationExamples<typeof transactionalOperations>;
