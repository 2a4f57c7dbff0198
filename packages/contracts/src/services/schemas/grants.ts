import { z } from 'zod';
import { MINUTE_MS } from '../../shared/durations.ts';
import { idSchema, serialNumber, text } from '../../shared/fields.ts';

/** `typ` of a grant: a JWS (RFC 7515) by the key of intake, which is the only one to write any. */
export const grantType = 'rubrica-grant+jwt';

/** Long enough for a peer that is started again meanwhile, too short to be of use to who finds it. */
export const grantLifeMs = 5 * MINUTE_MS;

/** A grant as it crosses the bus. */
export const grant = text(64_000).min(1);

const base = {
  iss: z.literal('intake'),
  aud: z.literal('generation'),
  /** The service it is given to; from any other it is worth nothing. */
  azp: z.enum(['gateway', 'notifier']),
  jti: idSchema,
  iat: z.int(),
  exp: z.int(),
};

/**
 * What generation may be asked for, as intake has decided it. `occasion` is what it was decided for: an event to
 * deliver, a code that was accepted, a retrieval that was allowed.
 */
export const grantSchema = z.discriminatedUnion('purpose', [
  z.strictObject({
    ...base,
    purpose: z.literal('release'),
    requestId: idSchema,
    partnerId: idSchema,
    serial: serialNumber,
    occasion: text(100),
    /** Present where the partner allows the encoding for older programs. */
    allowsLegacy: z.literal(true).optional(),
  }),
  z.strictObject({
    ...base,
    purpose: z.literal('purge'),
    serials: z.array(serialNumber).min(1).max(200),
    /** Requests of these certificates, in their order. Absent in grants of the release before. */
    requestIds: z.array(idSchema).min(1).max(200).optional(),
  }),
]);
export type Grant = z.output<typeof grantSchema>;
