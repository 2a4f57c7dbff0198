import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import * as retrievalContract from '@rubrica/contracts/services/schemas/retrieval';
import { partnerProcedure } from '../context.ts';
import type { Request } from '../request/request.entity.ts';
import { findOwn } from '../request/request.repository.ts';
import { resultsOf } from './results-of.ts';

export const validationResultsProcedure = partnerProcedure('status:read')
  .input(intakeContract.requestIdentifier)
  .output(retrievalContract.validationResultsOutput)
  .query(async ({ ctx, input }) => {
    const request = await findOwn(ctx.database.fork(), { ...input, partnerId: ctx.caller.partnerId });
    const { id, referenceTransaction, status, validationStatus, version } = request;
    const results = resultsOfRequest(request);
    return { requestId: id, referenceTransaction, status, validationStatus, results, version };
  });

export function resultsOfRequest(request: Request) {
  return resultsOf({ ...request, hasCompany: request.details.companyRuc !== undefined });
}
