import { z } from 'zod';
import { statusSchema, validationStatusSchema } from '../shared/enumerations.ts';
import { answeredDetailSchema } from '../shared/errors.ts';
import * as field from '../shared/fields.ts';
import { type IdentifierName, identifierNames } from '../shared/identifiers.ts';
import { renewalOfSchema } from '../shared/status.ts';
import { dryRunResultSchema } from './dry-run.ts';
import { applicantShape, companyShape, evidenceItemSchema, linkedPartnerShape } from './linked-partner.ts';
import type { Operation } from './operation.ts';
import { regularFiles, regularShape } from './regular.ts';

const MEBIBYTE = 1024 * 1024;

/**
 * Identifies the certificate to renew by its serial number, its request's referenceTransaction, or both, which must
 * agree.
 */
export const renewedCertificateShape = {
  serialNumber: field.serialNumber.optional(),
  referenceTransaction: field.referenceTransaction.optional(),
  newReferenceTransaction: field.referenceTransaction.describe('Reference of the new request'),
  supersede: z
    .boolean()
    .optional()
    .describe(
      '`true`: once the new certificate is issued, the former one is revoked with the reason `superseded`',
    ),
} as const;

/**
 * Fields that a renewal may change: all fields of a family's registration except those that identify the applicant or
 * define what is certified.
 */
export const renewedFieldsShape = z
  .object({
    fingerCode: applicantShape.fingerCode,
    email: applicantShape.email,
    secondEmail: field.mailbox,
    emailAddress: regularShape.emailAddress,
    cellphoneNumber: applicantShape.cellphoneNumber,
    province: regularShape.province,
    city: applicantShape.city,
    address: applicantShape.address,
    countryCode: regularShape.countryCode,
    period: regularShape.period,
    callbackUrl: linkedPartnerShape.callbackUrl,
    positionCompany: companyShape.positionCompany,
    companySocialReason: companyShape.companySocialReason,
    expirationDateAppointment: companyShape.expirationDateAppointment,
    appointmentExpirationDate: regularShape.appointmentExpirationDate,
    isIdentityCertificate: regularShape.isIdentityCertificate,
  })
  .partial().shape;

const renewCertificateSchema = z
  .object({
    ...renewedCertificateShape,
    ...renewedFieldsShape,
    ...z.object(regularFiles).partial().shape,
    evidences: z
      .array(evidenceItemSchema)
      .min(1)
      .max(20)
      .optional()
      .describe('Linked partner only; replaces all former evidences'),
    password: field.password.optional().describe('Ignored if the family has no such field'),
  })
  .meta({ id: 'RenewCertificate' });

type RenewableId = Exclude<IdentifierName, 'signatureRequestId'>;
const ids = Object.values(identifierNames).filter((name) => name !== 'signatureRequestId');
const idsShape = Object.fromEntries(ids.map((name) => [name, field.idSchema.optional()])) as Record<
  RenewableId,
  z.ZodOptional<typeof field.idSchema>
>;

const renewalResultSchema = z
  .object({
    ...idsShape,
    referenceTransaction: z.string(),
    status: statusSchema.optional(),
    validationStatus: validationStatusSchema.optional(),
    createdAt: z.string().describe('yyyy-MM-dd HH:mm:ss'),
    message: z.string().optional(),
    errors: z.array(answeredDetailSchema).optional(),
    renewalOf: renewalOfSchema,
  })
  .meta({ id: 'RenewalResult' });

export const renewalOperations = {
  renewCertificate: {
    method: 'POST',
    path: '/manager/certificate/renew',
    tag: 'Certificates',
    summary: 'Renew a certificate',
    description:
      'Allowed from 60 days before the end of the certificate to 60 days after it. Registers a new request of the same family with the data of the former one. Fields that are sent replace the former values, except identification, names, document type, application type, certificate type and `companyRuc`. The answer is that of the family’s registration, with `renewalOf`. A new key is always generated.',
    access: 'manager:write',
    body: renewCertificateSchema,
    maxBodyBytes: 160 * MEBIBYTE,
    success: renewalResultSchema,
    dryRun: dryRunResultSchema,
    errors: [
      'FIELD_REQUIRED',
      'FIELD_INVALID',
      'REQUEST_NOT_FOUND',
      'CERTIFICATE_NOT_FOUND',
      'REQUEST_STATE_NOT_ALLOWED',
      'RENEWAL_NOT_OPEN',
      'DUPLICATED_REFERENCE_TRANSACTION',
      'INVALID_PERIOD',
      'PASSWORD_REQUIRED',
      'APPOINTMENT_EXPIRED',
      'CALLBACK_URL_NOT_ALLOWED',
      'EVIDENCE_MISSING',
      'FILE_TYPE_NOT_ALLOWED',
      'FILE_TOO_LARGE',
      'AUTHORIZATION_VIDEO_REQUIRED',
      'IDENTITY_CERTIFICATE_FLAG_REQUIRED',
      'QUOTA_EXCEEDED',
    ],
  },
} as const satisfies Record<string, Operation>;
