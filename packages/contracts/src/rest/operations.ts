import { z } from 'zod';
import { linkedPartnerStatusSchema } from '../shared/status.ts';
import { termsSchema, termsTypeSchema } from '../shared/terms.ts';
import { apiFlowOperations } from './api-flow.ts';
import { batchLineSchema } from './batch.ts';
import { revokeCertificateSchema, revokedCertificateSchema } from './certificates.ts';
import { dryRunOperation, dryRunQuery, dryRunResultSchema } from './dry-run.ts';
import {
  cancelRequestSchema,
  cancelResultSchema,
  linkedPartnerIdentifierShape,
  linkedPartnerRequestSchema,
  linkedPartnerResultSchema,
  resendRequestSchema,
  resendResultSchema,
  retryRequestSchema,
  retryResultSchema,
} from './linked-partner.ts';
import { listOperations } from './lists.ts';
import { serverMetadataSchema, tokenRequestSchema, tokenResponseSchema } from './oauth.ts';
import type { Operation } from './operation.ts';
import { referenceOperations } from './reference.ts';
import { regularOperations } from './regular.ts';
import { renewalOperations } from './renewal.ts';
import { simplifiedOperations } from './simplified.ts';
import { transactionalOperations } from './transactional.ts';
import { usageOperations } from './usage.ts';

const MEBIBYTE = 1024 * 1024;

const registrationErrors = [
  'DUPLICATED_REFERENCE_TRANSACTION',
  'QUOTA_EXCEEDED',
  'FIELD_REQUIRED',
  'FIELD_INVALID',
  'INVALID_PERIOD',
  'INVALID_APPLICATION_TYPE',
  'INVALID_DOCUMENT_TYPE',
  'INVALID_CERTIFICATE_TYPE',
  'PASSWORD_REQUIRED',
  'COMPANY_DATA_REQUIRED',
  'APPOINTMENT_EXPIRED',
  'CALLBACK_URL_NOT_ALLOWED',
  'IDENTIFICATION_NUMBER_INVALID',
  'RUC_INVALID',
  'EVIDENCE_MISSING',
  'FILE_TOO_LARGE',
] as const;

const managed = [
  'FIELD_REQUIRED',
  'FIELD_INVALID',
  'REQUEST_NOT_FOUND',
  'REQUEST_STATE_NOT_ALLOWED',
] as const;

const table = {
  registerLinkedPartner: {
    method: 'POST',
    path: '/collector/linked-partner/request',
    tag: 'Linked partner',
    summary: 'Register a request for a traditional or a transactional signature',
    description:
      'Answers 200 in two forms: `REGISTERED`, or `ERROR` with `errors` when an evidence could not be taken. Both use up the referenceTransaction.',
    access: 'collector:write',
    body: linkedPartnerRequestSchema,
    maxBodyBytes: 64 * MEBIBYTE,
    success: linkedPartnerResultSchema,
    dryRun: dryRunResultSchema,
    errors: registrationErrors,
  },
  registerLinkedPartnerBatch: {
    method: 'POST',
    path: '/collector/linked-partner/batch',
    tag: 'Linked partner',
    summary: 'Register many requests at once',
    description:
      'Up to 10,000 lines, each the body of a registration; each is taken or refused by itself and answered by one line, in the order of the lines. Lines over the rate limit wait. A body that ends early leaves what was registered: sent again, those lines are 409.',
    access: 'collector:write',
    body: linkedPartnerRequestSchema,
    mediaType: 'application/x-ndjson',
    maxBodyBytes: 64 * MEBIBYTE,
    query: dryRunQuery,
    success: batchLineSchema,
    errors: [],
  },
  retryLinkedPartner: {
    method: 'POST',
    path: '/manager/linked-partner/retry-process-signature',
    tag: 'Linked partner',
    summary: 'Run the failed step again, with corrections if any',
    description: 'Two retries are allowed; the call that exceeds them answers 200 with status `REFUSED`.',
    access: 'manager:write',
    body: retryRequestSchema,
    maxBodyBytes: 64 * MEBIBYTE,
    success: retryResultSchema,
    errors: managed,
  },
  cancelLinkedPartner: {
    method: 'POST',
    path: '/manager/linked-partner/cancel-request',
    tag: 'Linked partner',
    summary: 'Cancel a request that is not yet in generation',
    description:
      'What was sent in secret, a password among it, is destroyed at once. In generation, and once a request has ended, it is 409. Takes the reference of a renewal of any family.',
    access: 'manager:write',
    body: cancelRequestSchema,
    maxBodyBytes: MEBIBYTE,
    success: cancelResultSchema,
    errors: managed,
  },
  resendValidationLink: {
    method: 'POST',
    path: '/manager/linked-partner/resend-validation-link',
    tag: 'Linked partner',
    summary: 'Send the claim e-mail again; the earlier link dies',
    description:
      'For requests that wait for the claim of the applicant. At most five times, and only some time after the e-mail before it: `Retry-After` of the 429 says how long. Takes the reference of a renewal of any family.',
    access: 'manager:write',
    body: resendRequestSchema,
    maxBodyBytes: MEBIBYTE,
    success: resendResultSchema,
    errors: [...managed, 'RESEND_LIMIT_EXCEEDED', 'RATE_LIMITED'],
  },
  linkedPartnerStatus: {
    method: 'GET',
    path: '/middleware/signature-request/status',
    tag: 'Linked partner',
    summary: 'The present state of a request',
    description:
      'Named by `linkedPartnerRequestId`, by `referenceTransaction`, or by both. `observation` says why a request is in error, `correctableFields` what a retry may send anew. Ask again after `Retry-After` seconds, with the `ETag` as `If-None-Match`.',
    access: 'status:read',
    query: z.object(linkedPartnerIdentifierShape),
    maxBodyBytes: MEBIBYTE,
    success: linkedPartnerStatusSchema,
    errors: ['FIELD_REQUIRED', 'FIELD_INVALID', 'REQUEST_NOT_FOUND'],
  },
  ...regularOperations,
  ...transactionalOperations,
  ...simplifiedOperations,
  ...apiFlowOperations,
  revokeCertificate: {
    method: 'POST',
    path: '/manager/certificate/revoke',
    tag: 'Certificates',
    summary: 'Revoke a certificate for good',
    description:
      'Named by `serialNumber`, by `referenceTransaction`, or by both. The status record shows it at once; OCSP and CRL, or the delta CRL of a large authority, within a minute. A certificate that an operator holds may be revoked; a repeat is 409.',
    access: 'certificates:revoke',
    body: revokeCertificateSchema,
    maxBodyBytes: MEBIBYTE,
    success: revokedCertificateSchema,
    errors: [
      'FIELD_REQUIRED',
      'FIELD_INVALID',
      'REQUEST_NOT_FOUND',
      'CERTIFICATE_NOT_FOUND',
      'REQUEST_STATE_NOT_ALLOWED',
      'CERTIFICATE_ALREADY_REVOKED',
    ],
  },
  ...renewalOperations,
  activeTerms: {
    method: 'GET',
    path: '/gateway/collector/terms-and-conditions/by-type',
    tag: 'Terms and conditions',
    summary: 'The single active version of the terms of a type',
    description:
      'What the applicant has to accept. A registration that names an older version is refused, so ask for it before each.',
    access: 'public',
    query: z.object({ type: termsTypeSchema }),
    maxBodyBytes: MEBIBYTE,
    success: termsSchema,
    errors: ['INVALID_TERMS_TYPE', 'NO_ACTIVE_TERMS'],
  },
  ...listOperations,
  ...usageOperations,
  ...referenceOperations,
  token: {
    method: 'POST',
    path: '/oauth/token',
    tag: 'Authentication',
    summary: 'OAuth 2.0 client credentials (RFC 6749 §4.4)',
    description:
      'The client proves who it is by its secret, or by an assertion that one of its keys has signed (`private_key_jwt`, RFC 7523).',
    access: 'public',
    body: tokenRequestSchema,
    mediaType: 'application/x-www-form-urlencoded',
    maxBodyBytes: 16 * 1024,
    success: tokenResponseSchema,
    errors: ['FIELD_REQUIRED', 'FIELD_INVALID'],
  },
  serverMetadata: {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    tag: 'Authentication',
    summary: 'Addresses and abilities of the token endpoint (RFC 8414)',
    description:
      'What libraries ask for when they are given nothing but the address of the service; `/.well-known/openid-configuration` has the same.',
    access: 'public',
    maxBodyBytes: MEBIBYTE,
    success: serverMetadataSchema,
    errors: [],
  },
} as const satisfies Record<string, Operation>;

/** Every operation of the interface: what a partner may call, and what the gateway serves. */
export const operations = {
  ...table,
  registerLinkedPartnerDryRun: dryRunOperation(
    table.registerLinkedPartner,
    'Check the registration of a linked partner',
  ),
  registerRegularDryRun: dryRunOperation(table.registerRegular, 'Check a regular registration'),
  registerTransactionalDryRun: dryRunOperation(
    table.registerTransactional,
    'Check a transactional registration',
  ),
  registerSimplifiedDryRun: dryRunOperation(table.registerSimplified, 'Check a simplified registration'),
  renewCertificateDryRun: dryRunOperation(table.renewCertificate, 'Check the renewal of a certificate'),
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
