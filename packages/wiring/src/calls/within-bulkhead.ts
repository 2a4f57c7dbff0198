import { busFailure } from '@rubrica/bus';
import { type Bulkhead, bulkheads } from '@rubrica/contracts/services/call';
import { AppError, toAppError } from '@rubrica/process/errors';

/**
 * Makes a call within the bulkhead that its row names.
 * @throws AppError
 */
export type WithinBulkhead = <Result>(
  bulkhead: Bulkhead | undefined,
  call: () => Promise<Result>,
) => Promise<Result>;

/** Creates a counter of the unanswered calls of each bulkhead. */
export function createWithinBulkhead(): WithinBulkhead {
  const running = new Map<Bulkhead, number>();
  return async (bulkhead, call) => {
    if (bulkhead === undefined) return call().catch(rethrow);
    const before = running.get(bulkhead) ?? 0;
    if (before >= bulkheads[bulkhead].maxInFlight) throw bulkheadFull(bulkhead);
    running.set(bulkhead, before + 1);
    try {
      return await call();
    } catch (error) {
      // Other callers have used up the capacity of the receiver.
      if (busFailure(error)?.reason === 'overloaded') throw bulkheadFull(bulkhead, error);
      throw toAppError(error);
    } finally {
      running.set(bulkhead, (running.get(bulkhead) ?? 1) - 1);
    }
  };
}

function rethrow(error: unknown): never {
  throw toAppError(error);
}

function bulkheadFull(bulkhead: Bulkhead, cause?: unknown): AppError {
  const { retryAfterSeconds } = bulkheads[bulkhead];
  return new AppError({ code: 'RATE_LIMITED', retryAfterSeconds, cause });
}
