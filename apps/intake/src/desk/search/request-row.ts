import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { Request } from '../../requests/request/request.entity.ts';

/** What a list of operators shows of a request. */
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

/** A request as a list of operators shows it. */
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
