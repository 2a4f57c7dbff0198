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

/** All fields of the transactional body except secrets, as they cross the bus. */
export const transactionalShape = {
  ...applicantShape,
  referenceTransaction: field.referenceTransaction,
  callbackUrl: field.url.optional(),
  ...companyShape,
} as const;

export const transactionalRequestSchema = z
  .object({
    ...transactionalShape,
    password: field.password.optional().describe('Without one the service generates it'),
  })
  .meta({ id: 'TransactionalRequest' });

/** Identifiers in every answer of the family. */
const idFields = { ...idShape('transactionalRequestId'), referenceTransaction: z.string() } as const;
const state = { status: statusSchema, validationStatus: validationStatusSchema } as const;

export const transactionalResultSchema = z
  .object({ ...idFields, ...state, createdAt: z.string().describe('yyyy-MM-dd HH:mm:ss') })
  .meta({ id: 'TransactionalResult' });

/** Checks of an applicant, in the order in which they are made. */
export const validationChecks = [
  'IDENTITY',
  'VITAL_STATUS',
  'AGE',
  'FINGER_CODE',
  'NAMES',
  'COMPANY',
] as const;
export type ValidationCheck = (typeof validationChecks)[number];

/** `PENDING` until the check is made; checks after a failed one are not made. */
const checkResults = ['PENDING', 'PASSED', 'FAILED'] as const;

export const validationResultSchema = z
  .object({
    check: z.enum(validationChecks),
    result: z.enum(checkResults),
    code: errorCodeSchema.nullable().describe('Reason of the failure'),
  })
  .meta({ id: 'ValidationResult' });
export type ValidationResult = z.infer<typeof validationResultSchema>;

const transactionalIdentifierShape = identifierShape('transactionalRequestId');

export const validationStatusAnswerSchema = z
  .object({ ...idFields, ...state, results: z.array(validationResultSchema), ...renewalsShape })
  .meta({ id: 'TransactionalValidationStatus' });

const dateTime = z.string().describe('ISO 8601 without zone, with milliseconds');

export const transactionalCertificateSchema = z
  .object({
    ...idFields,
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
      'The service generates the password, if none is sent, and delivers it with the certificate. Names are compared with the identity registry, and a company with the tax registry.',
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
    summary: 'Get the result of each validation check',
    description:
      'Each check has its own result; a failed one has a code. Poll again after `Retry-After` seconds, with the `ETag` as `If-None-Match`.',
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
    summary: 'Get the certificate with its password and the check results',
    description:
      'May be repeated for 24 h after the first retrieval, and for at most 7 days after issuance; after that it is 404.',
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
