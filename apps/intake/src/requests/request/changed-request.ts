import type { Request } from './request.entity.ts';

type Changed = Pick<Request, 'id' | 'referenceTransaction' | 'status' | 'validationStatus' | 'updatedAt'>;

/** The answer to a change: which request, and where it stands now. */
export function toChanged(request: Changed) {
  return {
    requestId: request.id,
    referenceTransaction: request.referenceTransaction,
    status: request.status,
    validationStatus: request.validationStatus,
    updatedAt: request.updatedAt.toISOString(),
  };
}
