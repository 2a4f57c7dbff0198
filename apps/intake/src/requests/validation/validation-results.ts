import type { UseCase } from '@rubrica/wiring';
import type { RequestsDeps } from '../deps.ts';
import { findRenewals, omitAbsentRenewals } from '../request/renewals.ts';
import type { Request } from '../request/request.entity.ts';
import { findOwn } from '../request/request.repository.ts';
import { toValidationResults } from './to-validation-results.ts';

type ValidationResults = UseCase<'intake', 'requests.validationResults'>;

/** Creates the query of the results of a request's checks. @throws AppError REQUEST_NOT_FOUND */
export function createValidationResults({ database }: Pick<RequestsDeps, 'database'>): ValidationResults {
  return async (input, { caller: { partnerId } }) => {
    const request = await findOwn(database.fork(), { ...input, partnerId });
    const { id, referenceTransaction, status, validationStatus, version } = request;
    const results = toRequestResults(request);
    const renewals = omitAbsentRenewals(await findRenewals(database, id));
    return { requestId: id, referenceTransaction, status, validationStatus, results, ...renewals, version };
  };
}

export function toRequestResults(request: Request) {
  return toValidationResults({ ...request, hasCompany: request.details.companyRuc !== undefined });
}
