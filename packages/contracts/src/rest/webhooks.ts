import { z } from 'zod';
import {
  type Family,
  type FurtherEventType,
  families,
  revocationReasonSchema,
} from '../shared/enumerations.ts';
import { errorCodeSchema } from '../shared/errors.ts';
import { identifierNames, idShape } from '../shared/identifiers.ts';

interface WebhookEventRow<Fields, Example> {
  /** One line of the OpenAPI document. */
  readonly summary: string;
  /** Name of the body among the schemas of the OpenAPI document. */
  readonly schemaId: string;
  /** The body has the request's id, under the name that its family uses. */
  readonly namesRequest: boolean;
  /** Fields of the body after the request's id and its `referenceTransaction`. */
  readonly fields: Fields;
  readonly example: Example;
}

function event<Fields extends z.ZodRawShape, Example extends z.input<z.ZodObject<Fields>>>(
  row: WebhookEventRow<Fields, Example>,
) {
  return row;
}

/**
 * Every event that partners receive, by its type. Receivers distinguish bodies by their fields alone, so no two events
 * may have the same fields: if there is no other difference, a literal field makes it.
 */
export const webhookEvents = {
  'certificate.issued': event({
    summary: 'The certificate was issued',
    schemaId: 'CertificateIssuedEvent',
    namesRequest: false,
    fields: {
      file: z.base64().describe('PKCS#12, DER in base64'),
      password: z.string().optional().describe('Absent if the applicant chose it at the claim'),
      serialNumber: z.string(),
    },
    example: {
      // Beginning of a PKCS#12 file; a whole one has some thousand characters.
      file: 'MIIPlgIBAzCCD0wGCSqGSIb3DQEHAaCCDz0Egg85',
      password: 'A password of 8 to 64 characters',
      serialNumber: '5F3A9C0E7B1D4826A1C39E40D7F25B86',
    },
  }),
  'request.error': event({
    summary: 'An error occurred in validation or generation, or an external service failed',
    schemaId: 'RequestErrorEvent',
    namesRequest: true,
    fields: { message: z.string() },
    example: { message: 'The fingerprint code does not match the registry' },
  }),
  'request.refused': event({
    summary: 'The request was rejected',
    schemaId: 'RequestRefusedEvent',
    namesRequest: true,
    fields: { message: z.string(), status: z.literal('REFUSED') },
    example: { status: 'REFUSED', message: 'The applicant is under age' },
  }),
  'certificate.expiring': event({
    summary: 'The certificate ends in 30 days, or in 5; only for partners whose setting `events` includes it',
    schemaId: 'CertificateExpiringEvent',
    namesRequest: false,
    fields: {
      serialNumber: z.string(),
      notAfter: z.string().describe('End of the certificate; ISO 8601 without zone'),
      daysLeft: z.int().describe('Days until the end, rounded up, when the event was written'),
    },
    example: {
      serialNumber: '5F3A9C0E7B1D4826A1C39E40D7F25B86',
      notAfter: '2027-11-20T19:22:39.000',
      daysLeft: 30,
    },
  }),
  'certificate.revoked': event({
    summary:
      'The certificate was revoked, by the partner or anyone else; only for partners whose setting `events` includes it. A hold is no revocation',
    schemaId: 'CertificateRevokedEvent',
    namesRequest: false,
    fields: {
      serialNumber: z.string(),
      revocationReason: revocationReasonSchema.describe('Reason, as named in RFC 5280 §5.3.1'),
      revokedAt: z.string().describe('ISO 8601 without zone'),
    },
    example: {
      serialNumber: '5F3A9C0E7B1D4826A1C39E40D7F25B86',
      revocationReason: 'keyCompromise',
      revokedAt: '2026-12-01T08:30:00.000',
    },
  }),
} as const satisfies Readonly<Record<FurtherEventType | `${string}.${string}`, unknown>>;

export type WebhookEventType = keyof typeof webhookEvents;
export const webhookEventTypes = Object.keys(webhookEvents) as WebhookEventType[];
export const webhookEventTypeSchema = z.enum(webhookEventTypes);

const reference = { referenceTransaction: z.string() } as const;

/** Creates the schema of a body. It is strict: some receivers reject other fields. */
function createBody(type: WebhookEventType, family: Family): z.ZodObject {
  const { namesRequest, fields, schemaId } = webhookEvents[type];
  if (!namesRequest) return z.strictObject({ ...reference, ...fields }).meta({ id: schemaId });
  const id = family === 'TV' ? schemaId : `${schemaId}.${family}`;
  return z.strictObject({ ...idShape(identifierNames[family]), ...reference, ...fields }).meta({ id });
}

function createBodies(family: Family) {
  return Object.fromEntries(webhookEventTypes.map((type) => [type, createBody(type, family)])) as Readonly<
    Record<WebhookEventType, z.ZodObject>
  >;
}

/** Bodies by family. They differ only in the name of the identifier. */
export const webhookBodiesByFamily = Object.fromEntries(
  families.map((family) => [family, createBodies(family)]),
) as Readonly<Record<Family, ReturnType<typeof createBodies>>>;

/** Bodies of the linked partner, the model of the others. */
export const webhookBodies = webhookBodiesByFamily.TV;

/** Creates the schema of a body in its envelope, for partners whose setting `envelope` is on. */
function createEnvelope(type: WebhookEventType, family: Family): z.ZodObject {
  const body = createBody(type, family);
  const data = 'message' in body.shape ? z.strictObject({ ...body.shape, code: errorCodeSchema }) : body;
  const name = `${webhookEvents[type].schemaId}.Envelope`;
  return z
    .strictObject({
      type: z.literal(type),
      id: z.string().describe('Same as the header `webhook-id`'),
      occurredAt: z.string().describe('Time of the event, in the time zone of the service'),
      data,
    })
    .meta({ id: family === 'TV' || !webhookEvents[type].namesRequest ? name : `${name}.${family}` });
}

function createEnvelopes(family: Family) {
  return Object.fromEntries(
    webhookEventTypes.map((type) => [type, createEnvelope(type, family)]),
  ) as Readonly<Record<WebhookEventType, z.ZodObject>>;
}

/** Bodies by family, in envelopes. */
export const webhookEnvelopesByFamily = Object.fromEntries(
  families.map((family) => [family, createEnvelopes(family)]),
) as Readonly<Record<Family, ReturnType<typeof createEnvelopes>>>;
