import { type ValidationResult, validationChecks } from '@rubrica/contracts/rest/transactional';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type * as retrievalContract from '@rubrica/contracts/services/schemas/retrieval';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import type { z } from 'zod';

/** One transactional request as intake would speak of it, and what was asked of it. */
export interface FakeRetrieval {
  readonly asked: { path: string; input: z.output<typeof requestsContract.requestIdentifier> }[];
  results: retrievalContract.ValidationResults;
  /** Thrown by the next retrievals, first one first. */
  readonly failures: unknown[];
}

export const transactionalId = '0197a000-0000-7000-8000-000000000333';
export const passed: ValidationResult[] = validationChecks
  .slice(0, 5)
  .map((check) => ({ check, result: 'PASSED', code: null }));

export function createFakeRetrieval(): FakeRetrieval {
  return {
    asked: [],
    results: {
      requestId: transactionalId,
      referenceTransaction: 'TX-1',
      status: 'GENERATING',
      validationStatus: 'COMPLETED',
      results: passed,
      version: 4,
    },
    failures: [],
  };
}

type RetrievalCalls = 'requests.validationResults' | 'requests.openRetrieval';

export function retrievalCalls(state: FakeRetrieval): {
  readonly [Name in RetrievalCalls]: UseCase<'intake', Name>;
} {
  const asked = (path: RetrievalCalls, input: z.output<typeof requestsContract.requestIdentifier>) => {
    state.asked.push({ path, input });
    if (input.referenceTransaction === 'nobody') throw new AppError({ code: 'REQUEST_NOT_FOUND' });
  };
  return {
    'requests.validationResults': (input) => {
      asked('requests.validationResults', input);
      return state.results;
    },
    'requests.openRetrieval': (input) => {
      asked('requests.openRetrieval', input);
      const failure = state.failures.shift();
      if (failure !== undefined) throw failure;
      const { requestId, referenceTransaction, results } = state.results;
      // The fake of generation takes the request's id for a grant.
      return { requestId, referenceTransaction, results, grant: requestId };
    },
  };
}
