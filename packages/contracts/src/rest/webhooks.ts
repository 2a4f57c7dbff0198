import { z } from 'zod';
import type { Family, WebhookEventType } from '../shared/enumerations.ts';
import { identifierNames, idShape } from '../shared/identifiers.ts';

const reference = { referenceTransaction: z.string() } as const;

/** Bodies of the webhook calls, exactly these fields: strict receivers exist. */
export const issuedBodySchema = z
  .strictObject({
    ...reference,
    file: z.base64().describe('PKCS#12, DER in base64'),
    password: z.string().optional().describe('Left out where the applicant chose it at the claim'),
    serialNumber: z.string(),
  })
  .meta({ id: 'CertificateIssuedEvent' });

/** What went wrong is told under the name that the family has for a request. */
const bodiesOf = <F extends Family>(family: F) => {
  const failure = { ...idShape(identifierNames[family]), ...reference, message: z.string() } as const;
  const suffix = family === 'TV' ? '' : `.${family}`;
  return {
    'certificate.issued': issuedBodySchema,
    'request.error': z.strictObject(failure).meta({ id: `RequestErrorEvent${suffix}` }),
    'request.refused': z
      .strictObject({ ...failure, status: z.literal('REFUSED') })
      .meta({ id: `RequestRefusedEvent${suffix}` }),
  } as const satisfies Record<WebhookEventType, z.ZodType>;
};

export const webhookBodiesOf = {
  TV: bodiesOf('TV'),
  FR: bodiesOf('FR'),
  FT: bodiesOf('FT'),
  FS: bodiesOf('FS'),
  API: bodiesOf('API'),
} as const satisfies Record<Family, unknown>;

/** Of the linked partner, after which the others are modelled. */
export const webhookBodies = webhookBodiesOf.TV;
