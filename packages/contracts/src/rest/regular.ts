import { z } from 'zod';
import { checkMessage } from '../error-texts/check-message.ts';
import { countryCodes } from '../shared/country-codes.ts';
import { applicationTypeSchema, documentTypeSchema, periodSchema } from '../shared/enumerations.ts';
import * as field from '../shared/fields.ts';
import { identifierShape } from '../shared/identifiers.ts';
import { regularStatusSchema } from '../shared/status.ts';
import { dryRunResultSchema } from './dry-run.ts';
import { applicantShape, companyShape } from './linked-partner.ts';
import type { Operation } from './operation.ts';

const MEBIBYTE = 1024 * 1024;

/**
 * File fields of the regular body, each with the kinds of content that it accepts. A PDF instead of an identity image
 * is an identity certificate, which needs `isIdentityCertificate`.
 */
const fileFields = z.object({
  identificationFront: field.file(
    ['image', 'pdf'],
    'Front of the identity document: JPEG, PNG, or an identity certificate as PDF',
  ),
  identificationBack: field
    .file(['image', 'pdf'], 'Back of the identity document; may be left out with an identity certificate')
    .optional(),
  identificationSelfie: field.file(['image'], 'Selfie of the applicant: JPEG or PNG'),
  pdfCompanyRuc: field.file(['pdf'], 'Tax registration, required with `companyRuc`: PDF').optional(),
  pdfRepresentativeAppointment: field.file(['pdf'], 'Appointment of a legal representative: PDF').optional(),
  pdfCompanyConstitution: field
    .file(['pdf'], 'Constitution of the company of a legal representative: PDF')
    .optional(),
  authorizationVideo: field
    .file(['video'], 'Required for applicants aged 65 or more: MP4, MOV or WebM')
    .optional(),
});
export const regularFiles = fileFields.shape;
export type RegularFile = keyof typeof regularFiles;
export const regularFileNames = fileFields.keyof().options;

/** File fields that show the document itself. */
export const identityImages = ['identificationFront', 'identificationBack'] as const;

/** All fields of the regular body except files, as they cross the bus. */
export const regularShape = {
  identificationNumber: applicantShape.identificationNumber,
  fingerCode: applicantShape.fingerCode,
  emailAddress: field.mailbox,
  cellphoneNumber: applicantShape.cellphoneNumber,
  province: field.name.describe('Name or code of a province, ignoring accents and case'),
  city: field.name.describe('Name or code of a canton of the province, ignoring accents and case'),
  address: field.address,
  countryCode: z
    .string()
    .refine((code) => countryCodes.includes(code), checkMessage('field.country'))
    .meta({ description: 'ISO 3166-1 alpha-3', examples: ['ECU'] }),
  documentType: documentTypeSchema,
  applicationType: applicationTypeSchema,
  period: periodSchema,
  referenceTransaction: field.referenceTransaction,
  isIdentityCertificate: z
    .boolean()
    .optional()
    .describe('Must be true if an identity image is an identity and civil-status certificate'),
  companyRuc: companyShape.companyRuc,
  positionCompany: companyShape.positionCompany,
  companySocialReason: companyShape.companySocialReason,
  appointmentExpirationDate: field.dateInput.optional(),
  callbackUrl: field.url.optional(),
} as const;

export const regularRequestSchema = z
  .object({ ...regularShape, ...regularFiles })
  .meta({ id: 'RegularRequest' });
export type RegularRequest = z.infer<typeof regularRequestSchema>;

export const regularResultSchema = z
  .object({
    requestId: field.idSchema,
    referenceTransaction: z.string(),
    createdAt: z.string().describe('yyyy-MM-dd HH:mm:ss'),
  })
  .meta({ id: 'RegularResult' });

const regularIdentifierShape = identifierShape('requestId');

/**
 * Fields that a correction may send, if `correctableFields` names them; without any of them the failed step runs again.
 */
export const regularCorrectionShape = {
  fingerCode: applicantShape.fingerCode.optional(),
  emailAddress: regularShape.emailAddress.optional(),
  cellphoneNumber: regularShape.cellphoneNumber.optional(),
  isIdentityCertificate: regularShape.isIdentityCertificate.describe(
    'Sent with an identity image: must be true if it is an identity certificate',
  ),
} as const;

const regularCorrectionSchema = z
  .object({ ...regularIdentifierShape, ...regularCorrectionShape, ...fileFields.partial().shape })
  .meta({ id: 'RegularCorrection' });

export const regularOperations = {
  registerRegular: {
    method: 'POST',
    path: '/collector/request',
    tag: 'Regular',
    summary: 'Register a regular request',
    description:
      'The age that decides whether `authorizationVideo` is required comes from the identity registry. If the registry does not answer within 2 s, the request is accepted and the rule is applied during validation. The applicant claims the certificate after approval.',
    access: 'collector:write',
    body: regularRequestSchema,
    maxBodyBytes: 160 * MEBIBYTE,
    success: regularResultSchema,
    dryRun: dryRunResultSchema,
    errors: [
      'DUPLICATED_REFERENCE_TRANSACTION',
      'QUOTA_EXCEEDED',
      'FIELD_REQUIRED',
      'FIELD_INVALID',
      'INVALID_PERIOD',
      'INVALID_APPLICATION_TYPE',
      'INVALID_DOCUMENT_TYPE',
      'APPOINTMENT_EXPIRED',
      'CALLBACK_URL_NOT_ALLOWED',
      'IDENTIFICATION_NUMBER_INVALID',
      'RUC_INVALID',
      'FILE_TYPE_NOT_ALLOWED',
      'FILE_TOO_LARGE',
      'COMPANY_DOCUMENT_REQUIRED',
      'COMPANY_RUC_DOCUMENT_REQUIRED',
      'AUTHORIZATION_VIDEO_REQUIRED',
      'IDENTITY_CERTIFICATE_FLAG_REQUIRED',
    ],
  },
  correctRegular: {
    method: 'PATCH',
    path: '/collector/request',
    tag: 'Regular',
    summary: 'Correct the fingerprint code, contact data or attachments of a request in error',
    description:
      'Accepts only fields that `correctableFields` of the status record names. With the identifier alone the failed step runs again, if the code of the error is retryable.',
    access: 'collector:write',
    body: regularCorrectionSchema,
    maxBodyBytes: 160 * MEBIBYTE,
    success: regularStatusSchema,
    errors: [
      'FIELD_REQUIRED',
      'FIELD_INVALID',
      'FIELD_NOT_CORRECTABLE',
      'FILE_TYPE_NOT_ALLOWED',
      'FILE_TOO_LARGE',
      'IDENTITY_CERTIFICATE_FLAG_REQUIRED',
      'REQUEST_NOT_FOUND',
      'REQUEST_STATE_NOT_ALLOWED',
    ],
  },
  regularStatus: {
    method: 'GET',
    path: '/gateway/request/status',
    tag: 'Regular',
    summary: 'Get the status of a regular request',
    description:
      'Identify the request by `requestId`, by `referenceTransaction`, or by both. `observation` explains an error, and `correctableFields` lists the fields that a correction may send. Poll again after `Retry-After` seconds, with the `ETag` as `If-None-Match`.',
    access: 'status:read',
    query: z.object(regularIdentifierShape),
    maxBodyBytes: MEBIBYTE,
    success: regularStatusSchema,
    errors: ['FIELD_REQUIRED', 'FIELD_INVALID', 'REQUEST_NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;
