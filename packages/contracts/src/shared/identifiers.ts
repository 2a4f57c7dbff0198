import type { Family } from './enumerations.ts';
import { idSchema, lineField, referenceTransaction } from './fields.ts';

/** Name of the request identifier, by family, in bodies, answers and events. */
export const identifierNames = {
  TV: 'linkedPartnerRequestId',
  FR: 'requestId',
  FT: 'transactionalRequestId',
  FS: 'simplifiedRequestId',
  API: 'signatureRequestId',
} as const satisfies Record<Family, string>;

export type IdentifierName<F extends Family = Family> = (typeof identifierNames)[F];

/** Reason of a partner for cancelling a request. */
export const cancelReason = lineField(500).optional();

/** Creates the shape of the identifier of a record's own request. */
export function idShape<Name extends IdentifierName>(name: Name) {
  return { [name]: idSchema } as { [Key in Name]: typeof idSchema };
}

const optionalId = idSchema.optional();

/** Creates the shape that identifies a request by id, by referenceTransaction, or by both, which must then agree. */
export function identifierShape<Name extends IdentifierName>(name: Name) {
  return { [name]: optionalId, referenceTransaction: referenceTransaction.optional() } as {
    [Key in Name]: typeof optionalId;
  } & { referenceTransaction: ReturnType<typeof referenceTransaction.optional> };
}
