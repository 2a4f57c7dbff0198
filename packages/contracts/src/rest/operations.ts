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

const managementErrors = [
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
    summary: 'Register a request for a traditional or transactional signature',
    description:
      'Answers 200 in two forms: `REGISTERED`, or `ERROR` with `errors` if an evidence could not be accepted. Both use up the referenceTransaction.',
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
      'Accepts up to 10,000 lines, each the body of a registration. Each line is accepted or refused independently and answered by one line, in the same order. Lines over the rate limit wait. If the body ends early, the lines read so far stay registered; sent again, they are 409.',
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
    errors: managementErrors,
  },
  cancelLinkedPartner: {
    method: 'POST',
    path: '/manager/linked-partner/cancel-request',
    tag: 'Linked partner',
    summary: 'Cancel a request that is not yet in generation',
    description:
      'Destroys the secrets of the request, such as its password, immediately. 409 while the request is in generation or once it has ended. Accepts the reference of a renewal of any family.',
    access: 'manager:write',
    body: cancelRequestSchema,
    maxBodyBytes: MEBIBYTE,
    success: cancelResultSchema,
    errors: managementErrors,
  },
  resendValidationLink: {
    method: 'POST',
    path: '/manager/linked-partner/resend-validation-link',
    tag: 'Linked partner',
    summary: 'Send the claim e-mail again and invalidate the earlier link',
    description:
      'Applies to requests that wait for the claim of the applicant. Allowed at most five times, and only some time after the previous e-mail: `Retry-After` of the 429 says how long. Accepts the reference of a renewal of any family.',
    access: 'manager:write',
    body: resendRequestSchema,
    maxBodyBytes: MEBIBYTE,
    success: resendResultSchema,
    errors: [...managementErrors, 'RESEND_LIMIT_EXCEEDED', 'RATE_LIMITED'],
  },
  linkedPartnerStatus: {
    method: 'GET',
    path: '/middleware/signature-request/status',
    tag: 'Linked partner',
    summary: 'Get the status of a request',
    description:
      'Identify the request by `linkedPartnerRequestId`, by `referenceTransaction`, or by both. `observation` explains an error, and `correctableFields` lists the fields that a retry may send. Poll again after `Retry-After` seconds, with the `ETag` as `If-None-Match`.',
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
    summary: 'Revoke a certificate permanently',
    description:
      'Identify the certificate by `serialNumber`, by `referenceTransaction`, or by both. The status record shows the revocation immediately; OCSP and the CRL, or the delta CRL of a large authority, within a minute. A certificate on hold may be revoked; a repeat is 409.',
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
    summary: 'Get the active terms of a type',
    description:
      'Answers the terms that the applicant must accept. A registration that names an older version is refused, so call this before each registration.',
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
    summary: 'Get an access token by OAuth 2.0 client credentials (RFC 6749 §4.4)',
    description:
      'The client authenticates with its secret, or with an assertion signed by one of its keys (`private_key_jwt`, RFC 7523).',
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
    summary: 'Get the metadata of the token endpoint (RFC 8414)',
    description:
      'Libraries read this document if they are configured with nothing but the address of the service. `/.well-known/openid-configuration` answers the same.',
    access: 'public',
    maxBodyBytes: MEBIBYTE,
    success: serverMetadataSchema,
    errors: [],
  },
} as const satisfies Record<string, Operation>;

/** Every operation of the interface: partners may call it, and the gateway serves it. */
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
