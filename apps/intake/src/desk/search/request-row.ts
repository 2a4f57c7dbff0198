import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { Request } from '../../requests/request/request.entity.ts';

/** Columns of a request in a list of operators. */
export type ListedRequest = Pick<
  Request,
  | 'id'
  | 'family'
  | 'partnerId'
  | 'referenceTransaction'
  | 'identificationNumber'
  | 'status'
  | 'validationStatus'
  | 'createdAt'
  | 'updatedAt'
>;

/** Converts a request to its row in a list of operators. */
export function toRequestRow(request: ListedRequest): OperatorOutput<'requests.rerun'> {
  return {
    requestId: request.id,
    family: request.family,
    partnerId: request.partnerId,
    referenceTransaction: request.referenceTransaction,
    identificationNumber: request.identificationNumber,
    status: request.status,
    validationStatus: request.validationStatus,
    createdDate: request.createdAt.toISOString(),
    updatedDate: request.updatedAt.toISOString(),
  };
}
