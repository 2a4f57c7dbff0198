import { z } from 'zod';
import { MINUTE_MS } from '../../shared/durations.ts';
import { idSchema, sha256Hex, text } from '../../shared/fields.ts';

/** `typ` of a delivery statement: a JWS (RFC 7515) by the key of intake, which is the only one to write any. */
export const deliveryStatementType = 'rubrica-delivery+jwt';

/** An attempt is made seconds after it was asked for. */
export const deliveryStatementLifeMs = 5 * MINUTE_MS;

/** A delivery statement as it crosses the bus. */
export const deliveryStatement = text(4_000).min(1);

/** Statement that one event may be sent to one destination, signed with these secrets. The notifier sends nothing else. */
export const deliveryStatementSchema = z.strictObject({
  iss: z.literal('intake'),
  aud: z.literal('notifier'),
  /** The event. */
  sub: idSchema,
  partnerId: idSchema,
  /** SHA-256 of the URL as the partner registered it. */
  destinationSha256: sha256Hex,
  /** SHA-256 of `secretsText`. */
  secretsSha256: sha256Hex,
  iat: z.int(),
  exp: z.int(),
});
export type DeliveryStatement = z.output<typeof deliveryStatementSchema>;

/** The sealed secrets in the one form that is hashed: a JSON array of them, in the order of the answer. */
export function secretsText(sealedSecrets: readonly string[]): string {
  return JSON.stringify(sealedSecrets);
}
