import { z } from 'zod';
import { periodSchema, statusSchema, validationStatusSchema } from '../shared/enumerations.ts';
import { errorCodeSchema } from '../shared/errors.ts';
import * as field from '../shared/fields.ts';
import { identifierShape, idShape } from '../shared/identifiers.ts';
import { signatureRequestStatusSchema } from '../shared/status.ts';
import { applicantShape, companyShape } from './linked-partner.ts';
import type { Operation } from './operation.ts';
import { regularFiles, regularShape } from './regular.ts';

const MEBIBYTE = 1024 * 1024;

/** The step that a request of the API flow waits for. */
export const nextSteps = [
  'IDENTITY_VALIDATION',
  'LIVENESS_REQUEST',
  'LIVENESS_CHECK',
  'ISSUANCE',
  'NONE',
] as const;
export const nextStepSchema = z.enum(nextSteps);
export type NextStep = z.infer<typeof nextStepSchema>;

/** Attempts that a step has; the last one that fails refuses the request. */
export const maxStepAttempts = 3;

/** Everything of the signature request that is no secret; the form that crosses the bus. */
export const signatureRequestShape = {
  termsAndConditionsId: field.idSchema.describe('Id of the active terms, which the applicant has accepted'),
  ...applicantShape,
  referenceTransaction: field.referenceTransaction,
  period: periodSchema,
  callbackUrl: field.url.optional(),
  ...companyShape,
} as const;

export const signatureRequestSchema = z
  .object({
    ...signatureRequestShape,
    password: field.password
      .optional()
      .describe('May be given at issuance instead; without one the service makes it'),
  })
  .meta({ id: 'SignatureRequest' });

const named = idShape('signatureRequestId');
const dateTime = z.string().describe('ISO 8601 without zone, with milliseconds');

export const signatureRequestResultSchema = z
  .object({
    ...named,
    referenceTransaction: z.string(),
    status: statusSchema,
    nextStep: nextStepSchema,
    expiresAt: dateTime,
    createdAt: z.string().describe('yyyy-MM-dd HH:mm:ss'),
  })
  .meta({ id: 'SignatureRequestResult' });

const { identificationFront, identificationBack, identificationSelfie } = regularFiles;
/** The regular family's, without its attachments of a company. */
export const identityFiles = { identificationFront, identificationBack, identificationSelfie } as const;

export const identityValidationShape = {
  ...named,
  isIdentityCertificate: regularShape.isIdentityCertificate,
} as const;

export const identityValidationSchema = z
  .object({
    ...identityValidationShape,
    ...identityFiles,
  })
  .meta({ id: 'IdentityValidation' });

export const stepResultSchema = z.enum(['APPROVED', 'REJECTED']);

export const identityValidationResultSchema = z
  .object({
    ...named,
    result: stepResultSchema,
    nextStep: nextStepSchema,
    attemptsRemaining: z.int(),
    failureReasons: z.array(errorCodeSchema),
  })
  .meta({ id: 'IdentityValidationResult' });

export const livenessRequestSchema = z.object(named).meta({ id: 'LivenessRequest' });
export const livenessRequestResultSchema = z
  .object({
    livenessSessionId: z.string(),
    livenessUrl: z.string().describe('To be opened by the applicant, on a phone'),
    expiresAt: dateTime,
    attemptNumber: z.int(),
    maxAttempts: z.literal(maxStepAttempts),
  })
  .meta({ id: 'LivenessSession' });

export const livenessCheckShape = { ...named, livenessSessionId: field.line(200) } as const;
const livenessCheckSchema = z.object(livenessCheckShape).meta({ id: 'LivenessCheck' });
export const livenessStatuses = ['CREATED', 'IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'EXPIRED'] as const;
export const livenessCheckResultSchema = z
  .object({
    livenessSessionId: z.string(),
    status: z.enum(livenessStatuses),
    livenessConfidence: z.number().nullable().describe('0 to 100; null until it is known'),
    faceMatchConfidence: z.number().nullable().describe('0 to 100; null until it is known'),
    result: stepResultSchema.nullable().describe('Null until the session has an outcome'),
    failureReasons: z.array(errorCodeSchema),
    nextStep: nextStepSchema,
  })
  .meta({ id: 'LivenessCheckResult' });

export const issuanceSchema = z
  .object({ ...named, password: field.password.optional() })
  .meta({ id: 'IssuanceRequest' });
export const issuanceResultSchema = z
  .object({
    ...named,
    referenceTransaction: z.string(),
    status: statusSchema,
    validationStatus: validationStatusSchema,
    nextStep: nextStepSchema,
    file: z.base64().optional().describe('PKCS#12, DER in base64; once the status is GENERATED'),
    password: z.string().optional().describe('Where the service made it'),
    serialNumber: z.string().optional(),
    notBefore: dateTime.optional(),
    notAfter: dateTime.optional(),
  })
  .meta({ id: 'IssuanceResult' });

const signatureIdentifierShape = identifierShape('signatureRequestId');

const step = ['FIELD_REQUIRED', 'FIELD_INVALID', 'REQUEST_NOT_FOUND', 'REQUEST_STATE_NOT_ALLOWED'] as const;

export const apiFlowOperations = {
  requestSignature: {
    method: 'POST',
    path: '/signature/api/request',
    tag: 'API flow',
    summary: 'Ask for a signature, step by step',
    description:
      'Each answer names the step that comes next; another one is 409. A request that is not finished in 24 hours expires.',
    access: 'collector:write',
    body: signatureRequestSchema,
    maxBodyBytes: MEBIBYTE,
    success: signatureRequestResultSchema,
    errors: [
      'DUPLICATED_REFERENCE_TRANSACTION',
      'QUOTA_EXCEEDED',
      'FIELD_REQUIRED',
      'FIELD_INVALID',
      'INVALID_PERIOD',
      'INVALID_APPLICATION_TYPE',
      'INVALID_DOCUMENT_TYPE',
      'COMPANY_DATA_REQUIRED',
      'APPOINTMENT_EXPIRED',
      'CALLBACK_URL_NOT_ALLOWED',
      'IDENTIFICATION_NUMBER_INVALID',
      'RUC_INVALID',
      'TERMS_NOT_ACCEPTED',
      'TERMS_OUTDATED',
      'NO_ACTIVE_TERMS',
    ],
  },
  validateIdentity: {
    method: 'POST',
    path: '/signature/api/identity-validation',
    tag: 'API flow',
    summary: 'Show the identity document and a selfie',
    description: `${maxStepAttempts} attempts; the last one that fails refuses the request.`,
    access: 'collector:write',
    body: identityValidationSchema,
    maxBodyBytes: 64 * MEBIBYTE,
    success: identityValidationResultSchema,
    errors: [...step, 'FILE_TYPE_NOT_ALLOWED', 'FILE_TOO_LARGE', 'IDENTITY_CERTIFICATE_FLAG_REQUIRED'],
  },
  requestLiveness: {
    method: 'POST',
    path: '/signature/api/liveness/request',
    tag: 'API flow',
    summary: 'Begin a proof of life',
    description: `Answers the session and the address at which the applicant proves on a phone that they are there. ${maxStepAttempts} sessions; the last one that fails refuses the request.`,
    access: 'collector:write',
    body: livenessRequestSchema,
    maxBodyBytes: MEBIBYTE,
    success: livenessRequestResultSchema,
    errors: [...step, 'LIVENESS_ATTEMPTS_EXCEEDED'],
  },
  checkLiveness: {
    method: 'POST',
    path: '/signature/api/liveness/check',
    tag: 'API flow',
    summary: 'Ask for the outcome of a proof of life',
    description: 'Answers at once, also while the applicant is still at it. `nextStep` says what comes next.',
    access: 'collector:write',
    body: livenessCheckSchema,
    maxBodyBytes: MEBIBYTE,
    success: livenessCheckResultSchema,
    errors: step,
  },
  issueSignature: {
    method: 'POST',
    path: '/signature/api/issuance',
    tag: 'API flow',
    summary: 'Issue the certificate',
    description:
      'Waits up to 10 s for the certificate; an answer with `GENERATING` may be asked for again. Repeating the call is safe.',
    access: 'collector:write',
    body: issuanceSchema,
    maxBodyBytes: MEBIBYTE,
    success: issuanceResultSchema,
    errors: [...step, 'CERTIFICATE_NOT_FOUND'],
  },
  signatureRequestStatus: {
    method: 'GET',
    path: '/signature/api/request/status',
    tag: 'API flow',
    summary: 'The present state of a signature request',
    description:
      'Named by `signatureRequestId`, by `referenceTransaction`, or by both. Ask again after `Retry-After` seconds, with the `ETag` as `If-None-Match`.',
    access: 'status:read',
    query: z.object(signatureIdentifierShape),
    maxBodyBytes: MEBIBYTE,
    success: signatureRequestStatusSchema,
    errors: ['FIELD_REQUIRED', 'FIELD_INVALID', 'REQUEST_NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;
