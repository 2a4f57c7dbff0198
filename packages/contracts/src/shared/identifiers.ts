import type { Family } from './enumerations.ts';
import { idSchema, line, referenceTransaction } from './fields.ts';

/** Each family names the identifier of a request in its own words: in bodies, answers and events. */
export const identifierNames = {
  TV: 'linkedPartnerRequestId',
  FR: 'requestId',
  FT: 'transactionalRequestId',
  FS: 'simplifiedRequestId',
  API: 'signatureRequestId',
} as const satisfies Record<Family, string>;

export type IdentifierName<F extends Family = Family> = (typeof identifierNames)[F];

/** Why a partner cancels a request. */
export const cancelReason = line(500).optional();

/** How a record calls its own request. */
export function idShape<Name extends IdentifierName>(name: Name) {
  return { [name]: idSchema } as { [Key in Name]: typeof idSchema };
}

const optionalId = idSchema.optional();

/** A request is named by its id, by its referenceTransaction, or by both, which must then agree. */
export function identifierShape<Name extends IdentifierName>(name: Name) {
  return { [name]: optionalId, referenceTransaction: referenceTransaction.optional() } as {
    [Key in Name]: typeof optionalId;
  } & { referenceTransaction: ReturnType<typeof referenceTransaction.optional> };
}
