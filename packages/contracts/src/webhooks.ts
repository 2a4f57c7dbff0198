import { z } from 'zod';

const reference = { referenceTransaction: z.string() } as const;
const failure = { linkedPartnerRequestId: z.uuid(), ...reference, message: z.string() } as const;

/** Bodies of the webhook calls, exactly these fields: strict receivers exist. */
export const issuedBodySchema = z
  .strictObject({
    ...reference,
    file: z.base64().describe('PKCS#12, DER in base64'),
    password: z.string().optional().describe('Left out where the holder chose it at the claim'),
    serialNumber: z.string(),
  })
  .meta({ id: 'CertificateIssuedEvent' });

export const errorBodySchema = z.strictObject(failure).meta({ id: 'RequestErrorEvent' });

export const refusedBodySchema = z
  .strictObject({ ...failure, status: z.literal('REFUSED') })
  .meta({ id: 'RequestRefusedEvent' });

export const webhookBodies = {
  'certificate.issued': issuedBodySchema,
  'request.error': errorBodySchema,
  'request.refused': refusedBodySchema,
} as const;
