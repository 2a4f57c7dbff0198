export * from './api-flow.ts';
export * from './certificates.ts';
export * from './country-codes.ts';
export * from './enumerations.ts';
export * from './errors.ts';
export * from './families.ts';
export * as fields from './fields.ts';
export * from './identifiers.ts';
export * from './identity.ts';
export * from './linked-partner.ts';
export * from './messages.ts';
export * from './names.ts';
export * from './oauth.ts';
export * from './operators.ts';
export {
  correctionCodes,
  correctionFields,
  rejectionCodes,
  reviewReasons,
} from './operators-reviews.ts';
export * as auditContract from './procedures/audit.ts';
export * as claimsContract from './procedures/claims.ts';
export * as generationContract from './procedures/generation.ts';
export * as intakeContract from './procedures/intake.ts';
export * as messagesContract from './procedures/outgoing-messages.ts';
export * as retentionContract from './procedures/retention.ts';
export * as retrievalContract from './procedures/retrieval.ts';
export * as reviewsContract from './procedures/reviews.ts';
export * as termsContract from './procedures/terms.ts';
export * from './reference.ts';
export * from './regular.ts';
export * from './rest.ts';
export * from './simplified.ts';
export * from './status.ts';
export * from './terms.ts';
export * from './transactional.ts';
export * from './webhooks.ts';
