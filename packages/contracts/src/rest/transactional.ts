import { z } from 'zod';
import { statusSchema, validationStatusSchema } from '../shared/enumerations.ts';
import { errorCodeSchema } from '../shared/errors.ts';
import * as field from '../shared/fields.ts';
import { identifierShape, idShape } from '../shared/identifiers.ts';
import { renewalsShape } from '../shared/status.ts';
import { dryRunResultSchema } from './dry-run.ts';
import { applicantShape, companyShape } from './linked-partner.ts';
import type { Operation } from './operation.ts';

const MEBIBYTE = 1024 * 1024;

/** Everything of the transactional body that is no secret; the form that crosses the bus. */
export const transactionalShape = {
  ...applicantShape,
  referenceTransaction: field.referenceTransaction,
  callbackUrl: field.url.optional(),
  ...companyShape,
} as const;

export const transactionalRequestSchema = z
  .object({
    ...transactionalShape,
    password: field.password.optional().describe('Without one the service makes it'),
  })
  .meta({ id: 'TransactionalRequest' });

/** What a registration answers where it says no more than that it was taken. */
const named = { ...idShape('transactionalRequestId'), referenceTransaction: z.string() } as const;
const state = { status: statusSchema, validationStatus: validationStatusSchema } as const;

export const transactionalResultSchema = z
  .object({ ...named, ...state, createdAt: z.string().describe('yyyy-MM-dd HH:mm:ss') })
  .meta({ id: 'TransactionalResult' });

/** What is checked of an applicant, in the order in which it is checked. */
export const validationChecks = [
  'IDENTITY',
  'VITAL_STATUS',
  'AGE',
  'FINGER_CODE',
  'NAMES',
  'COMPANY',
] as const;
export type ValidationCheck = (typeof validationChecks)[number];

/** `PENDING` until it was made; checks after one that failed are not made. */
const checkResults = ['PENDING', 'PASSED', 'FAILED'] as const;

export const validationResultSchema = z
  .object({
    check: z.enum(validationChecks),
    result: z.enum(checkResults),
    code: errorCodeSchema.nullable().describe('Why it failed'),
  })
  .meta({ id: 'ValidationResult' });
export type ValidationResult = z.infer<typeof validationResultSchema>;

const transactionalIdentifierShape = identifierShape('transactionalRequestId');

export const validationStatusAnswerSchema = z
  .object({ ...named, ...state, results: z.array(validationResultSchema), ...renewalsShape })
  .meta({ id: 'TransactionalValidationStatus' });

const dateTime = z.string().describe('ISO 8601 without zone, with milliseconds');

export const transactionalCertificateSchema = z
  .object({
    ...named,
    file: z.base64().describe('PKCS#12, DER in base64'),
    password: z.string(),
    serialNumber: z.string(),
    notBefore: dateTime,
    notAfter: dateTime,
    results: z.array(validationResultSchema),
  })
  .meta({ id: 'TransactionalCertificate' });

export const transactionalOperations = {
  registerTransactional: {
    method: 'POST',
    path: '/collector/transactional/request',
    tag: 'Transactional',
    summary: 'Register a request for a signature of one week',
    description:
      'The service makes the password and hands it over with the certificate. Names are compared with the registry, and a company with the tax registry.',
    access: 'collector:write',
    body: transactionalRequestSchema,
    maxBodyBytes: MEBIBYTE,
    success: transactionalResultSchema,
    dryRun: dryRunResultSchema,
    errors: [
      'DUPLICATED_REFERENCE_TRANSACTION',
      'QUOTA_EXCEEDED',
      'FIELD_REQUIRED',
      'FIELD_INVALID',
      'INVALID_APPLICATION_TYPE',
      'INVALID_DOCUMENT_TYPE',
      'APPOINTMENT_EXPIRED',
      'CALLBACK_URL_NOT_ALLOWED',
      'IDENTIFICATION_NUMBER_INVALID',
      'RUC_INVALID',
    ],
  },
  transactionalValidationStatus: {
    method: 'GET',
    path: '/middleware/transactional/validation-status',
    tag: 'Transactional',
    summary: 'How far the validation has come, check by check',
    description:
      'Each check has its own result, with the code of what was found. Ask again after `Retry-After` seconds, with the `ETag` as `If-None-Match`.',
    access: 'status:read',
    query: z.object(transactionalIdentifierShape),
    maxBodyBytes: MEBIBYTE,
    success: validationStatusAnswerSchema,
    errors: ['FIELD_REQUIRED', 'FIELD_INVALID', 'REQUEST_NOT_FOUND'],
  },
  transactionalCertificate: {
    method: 'GET',
    path: '/middleware/transactional/certificate',
    tag: 'Transactional',
    summary: 'Retrieve the certificate with its password and the results',
    description:
      'May be repeated for 24 h from the first retrieval, and for 7 days from issuance at most; after that it is 404.',
    access: 'status:read',
    query: z.object(transactionalIdentifierShape),
    maxBodyBytes: MEBIBYTE,
    success: transactionalCertificateSchema,
    errors: [
      'FIELD_REQUIRED',
      'FIELD_INVALID',
      'REQUEST_NOT_FOUND',
      'REQUEST_STATE_NOT_ALLOWED',
      'CERTIFICATE_NOT_FOUND',
    ],
  },
} as const satisfies Record<string, Operation>;
