import { z } from 'zod';
import {
  applicationTypeSchema,
  certificateTypeSchema,
  keyTypeSchema,
  periodSchema,
} from '../../shared/enumerations.ts';
import { idSchema, instant, sealed, text } from '../../shared/fields.ts';

/** Everything that generation needs to issue one certificate; the password stays sealed to generation. */
export const issuanceOrderInput = z.object({
  requestId: idSchema,
  attempt: z.int().min(1),
  /** Further fields that generation certifies, by its settings; other fields are not sent to it. */
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
    /** Null unless requested. */
    address: z.string().nullable(),
    phone: z.string().nullable(),
    city: z.string(),
    countryCode: z.string().length(2),
    companyRuc: z.string().nullable(),
    companySocialReason: z.string().nullable(),
    positionCompany: z.string().nullable(),
  }),
  appointmentExpiresAt: instant.nullable(),
  /** Absent: the service generates the password. */
  sealedPassword: sealed.nullable(),
  passwordOrigin: z.enum(['PARTNER', 'SERVICE', 'HOLDER']),
  legacyPkcs12: z.boolean(),
  keyType: keyTypeSchema,
  /** A webhook will deliver the file; without one only the applicant fetches it. */
  hasWebhook: z.boolean().default(true),
  /** The partner may fetch the file itself for `retrievalContract.retrievalDays`. */
  isRetrieved: z.boolean().default(false),
  /**
   * Statement of `order-statement.ts`, from which generation issues. An order without one comes from the previous
   * release, and nothing is issued for it.
   */
  statement: text(8_000).min(1).optional(),
});
export type IssuanceOrder = z.infer<typeof issuanceOrder>;
