import { z } from 'zod';
import {
  applicationTypeSchema,
  certificateTypeSchema,
  documentTypeSchema,
  evidenceTypes,
  periodSchema,
  statusSchema,
  validationStatusSchema,
} from '../shared/enumerations.ts';
import { answeredDetailSchema } from '../shared/errors.ts';
import * as field from '../shared/fields.ts';
import { cancelReason, identifierShape } from '../shared/identifiers.ts';

/** Fields of the applicant, with the names of every family that sends them. */
export const applicantShape = {
  identificationNumber: field.lineField(20).describe('Cédula, 10 digits'),
  applicantName: field.name,
  applicantLastName: field.name,
  applicantSecondLastName: field.name.optional(),
  fingerCode: field.lineField(20).describe('Fingerprint code of the identity card, 10 characters'),
  email: field.mailbox,
  secondEmail: field.mailbox.optional(),
  cellphoneNumber: field.lineField(20).describe('E.164, for example +593991234567'),
  city: field.name,
  address: field.address,
  documentType: documentTypeSchema,
  applicationType: applicationTypeSchema,
} as const;

export const companyShape = {
  companyRuc: field.lineField(20).optional().describe('RUC, 13 digits'),
  positionCompany: field.name.optional(),
  companySocialReason: field.lineField(250).optional(),
  expirationDateAppointment: field.dateInput.optional(),
} as const;

/** All fields of the linked-partner body except files and secrets, as they cross the bus. */
export const linkedPartnerShape = {
  ...applicantShape,
  referenceTransaction: field.referenceTransaction,
  period: periodSchema
    .optional()
    .describe('Required for TRADITIONAL_SIGNATURE; only ONE_WEEK for TRANSACTIONAL_SIGNATURE'),
  certificateType: certificateTypeSchema,
  callbackUrl: field.url,
  ...companyShape,
} as const;

export const evidenceItemSchema = z
  .object({
    evidenceFile: field.binary.optional(),
    evidenceType: z.enum(evidenceTypes).optional(),
    validatorUrl: field.url.optional().describe('Stored, never fetched'),
  })
  .meta({ id: 'EvidenceItem' });

export const linkedPartnerRequestSchema = z
  .object({
    ...linkedPartnerShape,
    evidences: z.array(evidenceItemSchema).min(1).max(20),
    password: field.password.optional(),
  })
  .meta({ id: 'LinkedPartnerRequest' });
export type LinkedPartnerRequest = z.infer<typeof linkedPartnerRequestSchema>;

export const linkedPartnerResultSchema = z
  .object({
    linkedPartnerRequestId: field.idSchema,
    referenceTransaction: z.string(),
    status: z.enum(['REGISTERED', 'ERROR']),
    validationStatus: z.enum(['PENDING', 'ERROR']),
    createdAt: z.string().describe('yyyy-MM-dd HH:mm:ss'),
    message: z.string().optional(),
    errors: z.array(answeredDetailSchema),
  })
  .meta({ id: 'LinkedPartnerResult' });

export const linkedPartnerIdentifierShape = identifierShape('linkedPartnerRequestId');

/** Fields that a retry may correct, in addition to `evidences` and `password`. */
export const correctionShape = {
  fingerCode: applicantShape.fingerCode.optional(),
  applicantName: field.name.optional(),
  applicantLastName: field.name.optional(),
  applicantSecondLastName: field.name.optional(),
  email: field.mailbox.optional(),
  secondEmail: field.mailbox.optional(),
  cellphoneNumber: applicantShape.cellphoneNumber.optional(),
} as const;

export const retryRequestSchema = z
  .object({
    ...linkedPartnerIdentifierShape,
    ...correctionShape,
    evidences: z.array(evidenceItemSchema).min(1).max(20).optional(),
    password: field.password
      .optional()
      .describe('Not accepted once the applicant has claimed the request (409): only they know the password'),
  })
  .meta({ id: 'RetryRequest' });

export const retryResultSchema = z
  .object({
    linkedPartnerRequestId: field.idSchema,
    referenceTransaction: z.string(),
    status: statusSchema,
    retryCount: z.int(),
    retriesRemaining: z.int(),
    updatedDate: z.string(),
  })
  .meta({ id: 'RetryResult' });

const cancelShape = { ...linkedPartnerIdentifierShape, reason: cancelReason } as const;
export const cancelRequestSchema = z.object(cancelShape).meta({ id: 'CancelRequest' });

export const cancelResultSchema = z
  .object({
    linkedPartnerRequestId: field.idSchema,
    referenceTransaction: z.string(),
    status: statusSchema,
    validationStatus: validationStatusSchema,
    updatedDate: z.string(),
  })
  .meta({ id: 'CancelResult' });

export const resendRequestSchema = z.object(linkedPartnerIdentifierShape).meta({ id: 'ResendRequest' });

export const resendResultSchema = z
  .object({
    linkedPartnerRequestId: field.idSchema,
    referenceTransaction: z.string(),
    status: statusSchema,
    sentTo: z.string().describe('Masked address, for example j***@m***.com'),
    resendCount: z.int(),
    resendsRemaining: z.int(),
    linkExpiresAt: z.string(),
    updatedDate: z.string(),
  })
  .meta({ id: 'ResendResult' });
