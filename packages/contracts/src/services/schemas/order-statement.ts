import { z } from 'zod';
import {
  applicationTypeSchema,
  certificateTypeSchema,
  keyTypeSchema,
  periodSchema,
} from '../../shared/enumerations.ts';
import { idSchema, instant, text } from '../../shared/fields.ts';
import type { IssuanceOrder } from './issuance.ts';

/**
 * `typ` of an order statement: a JWS (RFC 7515) signed with the key of intake. It has no end, because an order waits as
 * long as it must.
 */
export const orderStatementType = 'rubrica-order+jwt';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * Claims of an order statement: intake has decided to have one certificate issued, and on what grounds. Generation
 * issues from nothing that the statement does not cover.
 */
export const orderStatementSchema = z.strictObject({
  iss: z.literal('intake'),
  aud: z.literal('generation'),
  /** Time of the decision, in seconds. */
  iat: z.int(),
  requestId: idSchema,
  attempt: z.int().min(1),
  partnerId: idSchema,
  /** SHA-256 of `subjectText`. */
  subjectSha256: sha256,
  applicationType: applicationTypeSchema,
  certificateType: certificateTypeSchema,
  period: periodSchema,
  keyType: keyTypeSchema,
  appointmentExpiresAt: instant.nullable(),
  passwordOrigin: z.enum(['PARTNER', 'SERVICE', 'HOLDER']),
  /** SHA-256 of the password as it is sealed to generation; null: generation creates one. */
  passwordSha256: sha256.nullable(),
  legacyPkcs12: z.boolean(),
  /** SHA-256 of the registered callback URL; null: no webhook delivers the file. */
  callbackSha256: sha256.nullable(),
  isRetrieved: z.boolean(),
  /** Checks that passed. */
  checks: z.array(text(20)).max(10),
  /** Ids of the review approvals. */
  approvals: z.array(idSchema).max(10),
});
export type OrderStatement = z.output<typeof orderStatementSchema>;

const subjectFields = [
  'identificationNumber',
  'givenName',
  'firstSurname',
  'secondSurname',
  'email',
  'address',
  'phone',
  'city',
  'countryCode',
  'companyRuc',
  'companySocialReason',
  'positionCompany',
] as const satisfies readonly (keyof IssuanceOrder['subject'])[];

/** Serialises the subject for hashing: a JSON array of its fields in a fixed order. */
export function subjectText(subject: IssuanceOrder['subject']): string {
  return JSON.stringify(subjectFields.map((field) => subject[field]));
}
