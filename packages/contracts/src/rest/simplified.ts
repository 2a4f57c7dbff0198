import { z } from 'zod';
import { periodSchema, statusSchema, validationStatusSchema } from '../shared/enumerations.ts';
import * as field from '../shared/fields.ts';
import { cancelReason, identifierShape, idShape } from '../shared/identifiers.ts';
import { simplifiedStatusSchema } from '../shared/status.ts';
import { dryRunResultSchema } from './dry-run.ts';
import { applicantShape } from './linked-partner.ts';
import type { Operation } from './operation.ts';

const MEBIBYTE = 1024 * 1024;

/** Fields of the simplified body: names come from the identity registry. */
export const simplifiedShape = {
  identificationNumber: applicantShape.identificationNumber,
  fingerCode: applicantShape.fingerCode,
  emailAddress: field.mailbox,
  cellphoneNumber: applicantShape.cellphoneNumber,
  period: periodSchema,
  referenceTransaction: field.referenceTransaction,
  callbackUrl: field.url.optional(),
} as const;

export const simplifiedRequestSchema = z.object(simplifiedShape).meta({ id: 'SimplifiedRequest' });

const answer = {
  ...idShape('simplifiedRequestId'),
  referenceTransaction: z.string(),
  status: statusSchema,
  validationStatus: validationStatusSchema,
} as const;

export const simplifiedResultSchema = z
  .object({ ...answer, createdAt: z.string().describe('yyyy-MM-dd HH:mm:ss') })
  .meta({ id: 'SimplifiedResult' });

const simplifiedIdentifierShape = identifierShape('simplifiedRequestId');

const simplifiedCancelShape = {
  ...simplifiedIdentifierShape,
  reason: cancelReason,
} as const;
const simplifiedCancelSchema = z.object(simplifiedCancelShape).meta({ id: 'SimplifiedCancel' });

const simplifiedCancelResultSchema = z
  .object({ ...answer, updatedDate: z.string() })
  .meta({ id: 'SimplifiedCancelResult' });

export const simplifiedOperations = {
  registerSimplified: {
    method: 'POST',
    path: '/collector/simplified/request',
    tag: 'Simplified',
    summary: 'Register a request with minimal data',
    description:
      'Names come from the identity registry. The applicant claims the certificate after approval.',
    access: 'collector:write',
    body: simplifiedRequestSchema,
    maxBodyBytes: MEBIBYTE,
    success: simplifiedResultSchema,
    dryRun: dryRunResultSchema,
    errors: [
      'DUPLICATED_REFERENCE_TRANSACTION',
      'QUOTA_EXCEEDED',
      'FIELD_REQUIRED',
      'FIELD_INVALID',
      'INVALID_PERIOD',
      'CALLBACK_URL_NOT_ALLOWED',
      'IDENTIFICATION_NUMBER_INVALID',
    ],
  },
  simplifiedStatus: {
    method: 'GET',
    path: '/middleware/simplified/request/status',
    tag: 'Simplified',
    summary: 'Get the status of a simplified request',
    description:
      'Identify the request by `simplifiedRequestId`, by `referenceTransaction`, or by both. Poll again after `Retry-After` seconds, with the `ETag` as `If-None-Match`.',
    access: 'status:read',
    query: z.object(simplifiedIdentifierShape),
    maxBodyBytes: MEBIBYTE,
    success: simplifiedStatusSchema,
    errors: ['FIELD_REQUIRED', 'FIELD_INVALID', 'REQUEST_NOT_FOUND'],
  },
  cancelSimplified: {
    method: 'PUT',
    path: '/manager/simplified/cancel-request',
    tag: 'Simplified',
    summary: 'Cancel a simplified request that is not yet in generation',
    description:
      'Destroys the secrets of the request immediately. 409 while the request is in generation or once it has ended.',
    access: 'manager:write',
    body: simplifiedCancelSchema,
    maxBodyBytes: MEBIBYTE,
    success: simplifiedCancelResultSchema,
    errors: ['FIELD_REQUIRED', 'FIELD_INVALID', 'REQUEST_NOT_FOUND', 'REQUEST_STATE_NOT_ALLOWED'],
  },
} as const satisfies Record<string, Operation>;
