import { z } from 'zod';
import { errorTextSchema } from '../error-texts/error-text.ts';
import {
  applicationTypeSchema,
  certificateStatusSchema,
  certificateTypeSchema,
  periodSchema,
  statusSchema,
  validationStatusSchema,
} from './enumerations.ts';
import { errorCodeSchema } from './errors.ts';
import { idSchema, instant } from './fields.ts';
import { type IdentifierName, idShape } from './identifiers.ts';

export const observationTypes = ['ALERT', 'WARNING', 'INFO'] as const;

const observationShape = {
  type: z.enum(observationTypes),
  code: z.union([errorCodeSchema, z.string().max(60)]),
  message: z.string(),
} as const;

/** Certificate that a request renews. */
export const renewalOfSchema = z
  .object({ referenceTransaction: z.string(), serialNumber: z.string() })
  .meta({ id: 'RenewalOf' });
/** Request that renews a certificate: the open one, or the one that has its own certificate. */
const renewedBySchema = z
  .object({
    referenceTransaction: z.string(),
    serialNumber: z.string().nullable().describe('`null` until the certificate is issued'),
  })
  .meta({ id: 'RenewedBy' });
/** Each is absent if there is none. */
export const renewalsShape = {
  renewalOf: renewalOfSchema.optional(),
  renewedBy: renewedBySchema.optional(),
} as const;

const recordShape = {
  referenceTransaction: z.string(),
  status: statusSchema,
  validationStatus: validationStatusSchema,
  applicationType: applicationTypeSchema.nullable(),
  certificateType: certificateTypeSchema,
  period: periodSchema.nullable(),
  correctableFields: z.array(z.string()),
  retryCount: z.int(),
  retriesRemaining: z.int(),
  serialNumber: z.string().nullable().describe('Upper-case hexadecimal, as OpenSSL prints it'),
  certificateStatus: certificateStatusSchema.nullable(),
  ...renewalsShape,
} as const;

function createDateFields<T extends z.ZodType>(date: T) {
  const observation = z.object({ ...observationShape, createdDate: date });
  return {
    observation: observation.nullable(),
    observations: z.array(observation),
    notBefore: date.nullable(),
    notAfter: date.nullable(),
    createdDate: date,
    updatedDate: date,
  };
}

/** Observation between services: the edge renders `text` in the reader's language. */
const storedObservationSchema = z.object({
  ...observationShape,
  createdDate: instant,
  text: errorTextSchema.optional(),
});

/** Record as it crosses the bus: instants in UTC, one name for the identifier. */
export const statusRecordSchema = z.object({
  requestId: idSchema,
  ...recordShape,
  ...createDateFields(instant),
  observation: storedObservationSchema.nullable(),
  observations: z.array(storedObservationSchema),
  /** Grows with every change of the record: the ETag. */
  version: z.int(),
});
export type StatusRecord = z.infer<typeof statusRecordSchema>;

const localDateTime = z
  .string()
  .describe('ISO 8601 without zone, with milliseconds, in the time zone of the service');

/** Creates the schema of the record as a family's status operation answers it. */
function createStatusSchema<Name extends IdentifierName>(name: Name, id: string) {
  return z.object({ ...idShape(name), ...recordShape, ...createDateFields(localDateTime) }).meta({ id });
}

export const linkedPartnerStatusSchema = createStatusSchema('linkedPartnerRequestId', 'LinkedPartnerStatus');
export const regularStatusSchema = createStatusSchema('requestId', 'RegularStatus');
export const simplifiedStatusSchema = createStatusSchema('simplifiedRequestId', 'SimplifiedStatus');
export const signatureRequestStatusSchema = createStatusSchema(
  'signatureRequestId',
  'SignatureRequestStatus',
);
