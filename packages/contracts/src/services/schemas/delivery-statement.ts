import { z } from 'zod';
import { MINUTE_MS } from '../../shared/durations.ts';
import { idSchema, sha256Hex, text } from '../../shared/fields.ts';

/** `typ` of a delivery statement: a JWS (RFC 7515) signed with the key of intake, which alone signs such statements. */
export const deliveryStatementType = 'rubrica-delivery+jwt';

/** Longest life of a delivery statement. An attempt follows its request within seconds. */
export const deliveryStatementLifeMs = 5 * MINUTE_MS;

/** Delivery statement as it crosses the bus. */
export const deliveryStatement = text(4_000).min(1);

/**
 * Claims of a delivery statement: one event may be sent to one destination, signed with these secrets. The notifier
 * sends nothing else.
 */
export const deliveryStatementSchema = z.strictObject({
  iss: z.literal('intake'),
  aud: z.literal('notifier'),
  /** Id of the event. */
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

/** Serialises the sealed secrets for hashing: a JSON array in the order of the answer. */
export function secretsText(sealedSecrets: readonly string[]): string {
  return JSON.stringify(sealedSecrets);
}
