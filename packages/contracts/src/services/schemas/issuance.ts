import { z } from 'zod';
import {
  applicationTypeSchema,
  certificateTypeSchema,
  keyTypeSchema,
  periodSchema,
} from '../../shared/enumerations.ts';
import { idSchema, instant, sealed, text } from '../../shared/fields.ts';

/** What generation needs to issue one certificate; the password stays sealed to generation. */
export const issuanceOrderInput = z.object({
  requestId: idSchema,
  attempt: z.int().min(1),
  /** What generation certifies beside the rest, by its settings; what it does not is not handed to it. */
  privateFields: z
    .array(z.enum(['address', 'phone']))
    .max(2)
    .default([]),
});
export const issuanceOrder = z.object({
  requestId: idSchema,
  partnerId: idSchema,
  attempt: z.int().min(1),
  applicationType: applicationTypeSchema,
  certificateType: certificateTypeSchema,
  period: periodSchema,
  subject: z.object({
    identificationNumber: z.string(),
    givenName: z.string(),
    firstSurname: z.string(),
    secondSurname: z.string().nullable(),
    email: z.string().nullable(),
    /** Null unless it was asked for. */
    address: z.string().nullable(),
    phone: z.string().nullable(),
    city: z.string(),
    countryCode: z.string().length(2),
    companyRuc: z.string().nullable(),
    companySocialReason: z.string().nullable(),
    positionCompany: z.string().nullable(),
  }),
  appointmentExpiresAt: instant.nullable(),
  /** Absent: the service makes the password. */
  sealedPassword: sealed.nullable(),
  passwordOrigin: z.enum(['PARTNER', 'SERVICE', 'HOLDER']),
  legacyPkcs12: z.boolean(),
  keyType: keyTypeSchema,
  /** A webhook will hand the file over; where there is none only the applicant fetches it. */
  hasWebhook: z.boolean().default(true),
  /** The partner may fetch the file itself for `retrievalContract.retrievalDays`. */
  isRetrieved: z.boolean().default(false),
  /** A statement of `order-statement.ts`, which generation issues from: an order without one is answered by the release before, and nothing is issued for it. */
  statement: text(8_000).min(1).optional(),
});
export type IssuanceOrder = z.infer<typeof issuanceOrder>;
