import type { Request } from './request.entity.ts';

type ChangedRequest = Pick<
  Request,
  'id' | 'referenceTransaction' | 'status' | 'validationStatus' | 'updatedAt'
>;

/** Converts a changed request to the answer: its ids and its current state. */
export function toChangedAnswer(request: ChangedRequest) {
  return {
    requestId: request.id,
    referenceTransaction: request.referenceTransaction,
    status: request.status,
    validationStatus: request.validationStatus,
    updatedAt: request.updatedAt.toISOString(),
  };
}
