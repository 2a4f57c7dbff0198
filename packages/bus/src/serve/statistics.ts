import type { TRPCError } from '@trpc/server';

/** Counters of one procedure, in the units of NATS' service API. */
export interface ProcedureStatistics {
  requests: number;
  errors: number;
  /** `CODE` or `CODE: message`; a message thrown by accident is omitted. */
  lastError: string;
  processingNs: number;
}

export interface Statistics {
  of(path: string): ProcedureStatistics;
  paths(): Iterable<[string, ProcedureStatistics]>;
  /** Calls that named no procedure of the router. */
  readonly unknown: ProcedureStatistics;
  readonly startedAt: Date;
}

/**
 * Creates the counters. Only paths of the router are counted individually: callers must not be able to grow the table.
 */
export function createStatistics(paths: readonly string[]): Statistics {
  const byPath = new Map(paths.map((path) => [path, empty()]));
  const unknown = empty();
  return { of: (path) => byPath.get(path) ?? unknown, paths: () => byPath, unknown, startedAt: new Date() };
}

export function countError(counters: ProcedureStatistics, error: TRPCError, unexpected: boolean): void {
  counters.errors += 1;
  counters.lastError = unexpected ? error.code : `${error.code}: ${error.message.slice(0, 200)}`;
}

function empty(): ProcedureStatistics {
  return { requests: 0, errors: 0, lastError: '', processingNs: 0 };
}
