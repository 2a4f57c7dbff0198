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

/** Step that a request of the API flow waits for. */
export const nextSteps = [
  'IDENTITY_VALIDATION',
  'LIVENESS_REQUEST',
  'LIVENESS_CHECK',
  'ISSUANCE',
  'NONE',
] as const;
export const nextStepSchema = z.enum(nextSteps);
export type NextStep = z.infer<typeof nextStepSchema>;

/** Attempts per step; the last one that fails refuses the request. */
export const maxStepAttempts = 3;

/** All fields of the signature request except secrets, as they cross the bus. */
export const signatureRequestShape = {
  termsAndConditionsId: field.idSchema.describe('Id of the active terms that the applicant has accepted'),
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
      .describe('May be sent at issuance instead; without one the service generates it'),
  })
  .meta({ id: 'SignatureRequest' });

const idFields = idShape('signatureRequestId');
const dateTime = z.string().describe('ISO 8601 without zone, with milliseconds');

export const signatureRequestResultSchema = z
  .object({
    ...idFields,
    referenceTransaction: z.string(),
    status: statusSchema,
    nextStep: nextStepSchema,
    expiresAt: dateTime,
    createdAt: z.string().describe('yyyy-MM-dd HH:mm:ss'),
  })
  .meta({ id: 'SignatureRequestResult' });

const { identificationFront, identificationBack, identificationSelfie } = regularFiles;
/** File fields of the regular family, without its company attachments. */
export const identityFiles = { identificationFront, identificationBack, identificationSelfie } as const;

export const identityValidationShape = {
  ...idFields,
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
    ...idFields,
    result: stepResultSchema,
    nextStep: nextStepSchema,
    attemptsRemaining: z.int(),
    failureReasons: z.array(errorCodeSchema),
  })
  .meta({ id: 'IdentityValidationResult' });

export const livenessRequestSchema = z.object(idFields).meta({ id: 'LivenessRequest' });
export const livenessRequestResultSchema = z
  .object({
    livenessSessionId: z.string(),
    livenessUrl: z.string().describe('Address that the applicant opens on a phone'),
    expiresAt: dateTime,
    attemptNumber: z.int(),
    maxAttempts: z.literal(maxStepAttempts),
  })
  .meta({ id: 'LivenessSession' });

export const livenessCheckShape = { ...idFields, livenessSessionId: field.lineField(200) } as const;
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
  .object({ ...idFields, password: field.password.optional() })
  .meta({ id: 'IssuanceRequest' });
export const issuanceResultSchema = z
  .object({
    ...idFields,
    referenceTransaction: z.string(),
    status: statusSchema,
    validationStatus: validationStatusSchema,
    nextStep: nextStepSchema,
    file: z.base64().optional().describe('PKCS#12, DER in base64; present once the status is GENERATED'),
    password: z.string().optional().describe('Present if the service generated it'),
    serialNumber: z.string().optional(),
    notBefore: dateTime.optional(),
    notAfter: dateTime.optional(),
  })
  .meta({ id: 'IssuanceResult' });

const signatureIdentifierShape = identifierShape('signatureRequestId');

const stepErrors = [
  'FIELD_REQUIRED',
  'FIELD_INVALID',
  'REQUEST_NOT_FOUND',
  'REQUEST_STATE_NOT_ALLOWED',
] as const;

export const apiFlowOperations = {
  requestSignature: {
    method: 'POST',
    path: '/signature/api/request',
    tag: 'API flow',
    summary: 'Request a signature, step by step',
    description:
      'Each answer names the next step; any other step is 409. A request that is not completed within 24 hours expires.',
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
    summary: 'Submit the identity document and a selfie',
    description: `Allows ${maxStepAttempts} attempts; if the last one fails, the request is refused.`,
    access: 'collector:write',
    body: identityValidationSchema,
    maxBodyBytes: 64 * MEBIBYTE,
    success: identityValidationResultSchema,
    errors: [...stepErrors, 'FILE_TYPE_NOT_ALLOWED', 'FILE_TOO_LARGE', 'IDENTITY_CERTIFICATE_FLAG_REQUIRED'],
  },
  requestLiveness: {
    method: 'POST',
    path: '/signature/api/liveness/request',
    tag: 'API flow',
    summary: 'Start a proof of life',
    description: `Answers the session, and the address of the page where the applicant completes the proof on a phone. Allows ${maxStepAttempts} sessions; if the last one fails, the request is refused.`,
    access: 'collector:write',
    body: livenessRequestSchema,
    maxBodyBytes: MEBIBYTE,
    success: livenessRequestResultSchema,
    errors: [...stepErrors, 'LIVENESS_ATTEMPTS_EXCEEDED'],
  },
  checkLiveness: {
    method: 'POST',
    path: '/signature/api/liveness/check',
    tag: 'API flow',
    summary: 'Get the outcome of a proof of life',
    description:
      'Answers immediately, even while the applicant is still completing it. `nextStep` names the next step.',
    access: 'collector:write',
    body: livenessCheckSchema,
    maxBodyBytes: MEBIBYTE,
    success: livenessCheckResultSchema,
    errors: stepErrors,
  },
  issueSignature: {
    method: 'POST',
    path: '/signature/api/issuance',
    tag: 'API flow',
    summary: 'Issue the certificate',
    description:
      'Waits up to 10 s for the certificate. If the answer is `GENERATING`, repeat the call; repeating it is safe.',
    access: 'collector:write',
    body: issuanceSchema,
    maxBodyBytes: MEBIBYTE,
    success: issuanceResultSchema,
    errors: [...stepErrors, 'CERTIFICATE_NOT_FOUND'],
  },
  signatureRequestStatus: {
    method: 'GET',
    path: '/signature/api/request/status',
    tag: 'API flow',
    summary: 'Get the status of a signature request',
    description:
      'Identify the request by `signatureRequestId`, by `referenceTransaction`, or by both. Poll again after `Retry-After` seconds, with the `ETag` as `If-None-Match`.',
    access: 'status:read',
    query: z.object(signatureIdentifierShape),
    maxBodyBytes: MEBIBYTE,
    success: signatureRequestStatusSchema,
    errors: ['FIELD_REQUIRED', 'FIELD_INVALID', 'REQUEST_NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;
