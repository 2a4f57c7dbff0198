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
  /** Names the body among the schemas of the OpenAPI document. */
  readonly schemaId: string;
  /** The body has the request's id, under the name that the family has for it. */
  readonly namesRequest: boolean;
  /** What the body has after the request's id and its `referenceTransaction`. */
  readonly fields: Fields;
  readonly example: Example;
}

function event<Fields extends z.ZodRawShape, Example extends z.input<z.ZodObject<Fields>>>(
  row: WebhookEventRow<Fields, Example>,
) {
  return row;
}

/**
 * Every event that partners are told of, by its type. Receivers tell bodies apart by their fields alone, so no two
 * events may have the same: a literal field makes the difference where there is no other.
 */
export const webhookEvents = {
  'certificate.issued': event({
    summary: 'The certificate was issued',
    schemaId: 'CertificateIssuedEvent',
    namesRequest: false,
    fields: {
      file: z.base64().describe('PKCS#12, DER in base64'),
      password: z.string().optional().describe('Left out where the applicant chose it at the claim'),
      serialNumber: z.string(),
    },
    example: {
      // How a PKCS#12 file begins; a whole one is some thousand characters long.
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
    summary: 'The certificate ends in 30 days, or in 5; for partners whose setting `events` names it',
    schemaId: 'CertificateExpiringEvent',
    namesRequest: false,
    fields: {
      serialNumber: z.string(),
      notAfter: z.string().describe('ISO 8601 without zone: its end'),
      daysLeft: z.int().describe('Until its end, rounded up, as the event was written'),
    },
    example: {
      serialNumber: '5F3A9C0E7B1D4826A1C39E40D7F25B86',
      notAfter: '2027-11-20T19:22:39.000',
      daysLeft: 30,
    },
  }),
  'certificate.revoked': event({
    summary:
      'The certificate was revoked, by whomever; for partners whose setting `events` names it. One on hold is not revoked yet',
    schemaId: 'CertificateRevokedEvent',
    namesRequest: false,
    fields: {
      serialNumber: z.string(),
      revocationReason: revocationReasonSchema.describe('In the words of RFC 5280 §5.3.1'),
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

/** Exactly these fields: strict receivers exist. */
function bodyOf(type: WebhookEventType, family: Family): z.ZodObject {
  const { namesRequest, fields, schemaId } = webhookEvents[type];
  if (!namesRequest) return z.strictObject({ ...reference, ...fields }).meta({ id: schemaId });
  const id = family === 'TV' ? schemaId : `${schemaId}.${family}`;
  return z.strictObject({ ...idShape(identifierNames[family]), ...reference, ...fields }).meta({ id });
}

function bodiesOf(family: Family) {
  return Object.fromEntries(webhookEventTypes.map((type) => [type, bodyOf(type, family)])) as Readonly<
    Record<WebhookEventType, z.ZodObject>
  >;
}

/** The bodies of each family; they differ in the name of the identifier alone. */
export const webhookBodiesOf = Object.fromEntries(
  families.map((family) => [family, bodiesOf(family)]),
) as Readonly<Record<Family, ReturnType<typeof bodiesOf>>>;

/** Of the linked partner, after which the others are modelled. */
export const webhookBodies = webhookBodiesOf.TV;

/** What the body is where the partner's setting `envelope` is on. */
function envelopeOf(type: WebhookEventType, family: Family): z.ZodObject {
  const body = bodyOf(type, family);
  const data = 'message' in body.shape ? z.strictObject({ ...body.shape, code: errorCodeSchema }) : body;
  const name = `${webhookEvents[type].schemaId}.Envelope`;
  return z
    .strictObject({
      type: z.literal(type),
      id: z.string().describe('That of the header `webhook-id`'),
      occurredAt: z.string().describe('Time of the event, in the time zone of the service'),
      data,
    })
    .meta({ id: family === 'TV' || !webhookEvents[type].namesRequest ? name : `${name}.${family}` });
}

function envelopesOf(family: Family) {
  return Object.fromEntries(webhookEventTypes.map((type) => [type, envelopeOf(type, family)])) as Readonly<
    Record<WebhookEventType, z.ZodObject>
  >;
}

/** As `webhookBodiesOf`, in envelopes. */
export const webhookEnvelopesOf = Object.fromEntries(
  families.map((family) => [family, envelopesOf(family)]),
) as Readonly<Record<Family, ReturnType<typeof envelopesOf>>>;
