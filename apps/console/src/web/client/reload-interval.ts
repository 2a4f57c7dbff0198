import { Failure } from './trpc.ts';

/** Interval for retrying a service that did not answer. */
const retryMs = 5_000;

interface QueryState {
  readonly state: { readonly data: unknown; readonly error: Error | null };
}

/**
 * Creates the reload interval, for `refetchInterval`.
 * @param paceMs interval after a complete answer; 0 for none
 */
export function createReloadInterval(paceMs: number): (query: QueryState) => number {
  return ({ state }) => (isUnavailable(state.error) || isIncompleteAnswer(state.data) ? retryMs : paceMs);
}

function isUnavailable(error: Error | null): boolean {
  return error instanceof Failure && ['UNREACHABLE', 'SERVICE_UNAVAILABLE'].includes(error.code);
}

/** Returns whether a part of the answer is missing because its service was unavailable. */
export function isIncompleteAnswer(answer: unknown): boolean {
  return ((answer as { readonly unanswered?: readonly unknown[] } | undefined)?.unanswered ?? []).length > 0;
}
