import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import type { NeededReview } from '../request/needed-review.ts';

/** Identity validation that came to a result. */
export const IdentityAttemptEntity = defineEntity({
  name: 'IdentityAttempt',
  tableName: 'identity_attempt',
  properties: {
    requestId: p.uuid().primary(),
    attempt: p.integer().primary(),
    callId: p.uuid(),
    at: p.datetime(),
    result: p.text().$type<'APPROVED' | 'REJECTED'>(),
    reasons: p.json<ErrorCode[]>(),
    /** Rule under which a person reviews the request once the steps have passed; null: no review. */
    review: p.json<NeededReview>().strictNullable(),
  },
});
export type IdentityAttempt = InferEntity<typeof IdentityAttemptEntity>;
