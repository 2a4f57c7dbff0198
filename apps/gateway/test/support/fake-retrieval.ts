import { type ValidationResult, validationChecks } from '@rubrica/contracts/rest/transactional';
import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import * as retrievalContract from '@rubrica/contracts/services/schemas/retrieval';
import { AppError, type BaseContext, createServiceTrpc } from '@rubrica/process';
import type { z } from 'zod';

const { procedure, asPartner } = createServiceTrpc<BaseContext>();

/** One transactional request as intake would speak of it, and what was asked of it. */
export interface FakeRetrieval {
  readonly asked: { path: string; input: z.output<typeof intakeContract.requestIdentifier> }[];
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

export function retrievalProcedures(state: FakeRetrieval) {
  const asked = (path: string, input: z.output<typeof intakeContract.requestIdentifier>) => {
    state.asked.push({ path, input });
    if (input.referenceTransaction === 'nobody') throw new AppError({ code: 'REQUEST_NOT_FOUND' });
  };
  return {
    validationResults: procedure
      .use(asPartner('status:read'))
      .input(intakeContract.requestIdentifier)
      .output(retrievalContract.validationResultsOutput)
      .query(({ path, input }) => {
        asked(path, input);
        return state.results;
      }),
    openRetrieval: procedure
      .use(asPartner('status:read'))
      .input(intakeContract.requestIdentifier)
      .output(retrievalContract.openRetrievalOutput)
      .mutation(({ path, input }) => {
        asked(path, input);
        const failure = state.failures.shift();
        if (failure !== undefined) throw failure;
        const { requestId, referenceTransaction, results } = state.results;
        return { requestId, referenceTransaction, results };
      }),
  };
}
