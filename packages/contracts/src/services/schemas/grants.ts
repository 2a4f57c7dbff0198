import { z } from 'zod';
import { MINUTE_MS } from '../../shared/durations.ts';
import { idSchema, serialNumber, text } from '../../shared/fields.ts';

/** `typ` of a grant: a JWS (RFC 7515) signed with the key of intake, which alone signs grants. */
export const grantType = 'rubrica-grant+jwt';

/** Long enough for a peer that restarts meanwhile, too short to be of use to a finder. */
export const grantLifeMs = 5 * MINUTE_MS;

/** Grant as it crosses the bus. */
export const grant = text(64_000).min(1);

const base = {
  iss: z.literal('intake'),
  aud: z.literal('generation'),
  /** Service that receives the grant; it is worthless to any other. */
  azp: z.enum(['gateway', 'notifier']),
  jti: idSchema,
  iat: z.int(),
  exp: z.int(),
};

/**
 * Permission for a call to generation, as intake has decided it. `occasion` is the reason: an event to deliver, a code
 * that was accepted, a retrieval that was allowed.
 */
export const grantSchema = z.discriminatedUnion('purpose', [
  z.strictObject({
    ...base,
    purpose: z.literal('release'),
    requestId: idSchema,
    partnerId: idSchema,
    serial: serialNumber,
    occasion: text(100),
    /** Present if the partner allows the encoding for older programs. */
    allowsLegacy: z.literal(true).optional(),
  }),
  z.strictObject({
    ...base,
    purpose: z.literal('purge'),
    serials: z.array(serialNumber).min(1).max(200),
    /** Requests of these certificates, in the same order. Absent in grants of the previous release. */
    requestIds: z.array(idSchema).min(1).max(200).optional(),
  }),
]);
export type Grant = z.output<typeof grantSchema>;
