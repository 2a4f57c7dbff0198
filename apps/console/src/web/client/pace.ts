import { Failure } from './trpc.ts';

/** How soon a page asks again for what a service did not answer. */
const againMs = 5_000;

interface Seen {
  readonly state: { readonly data: unknown; readonly error: Error | null };
}

/** For `refetchInterval`. @param paceMs between two answers that lack nothing; 0 for never */
export function pacedBy(paceMs: number): (seen: Seen) => number {
  return ({ state }) => (isAway(state.error) || lacksAnswers(state.data) ? againMs : paceMs);
}

function isAway(error: Error | null): boolean {
  return error instanceof Failure && ['UNREACHABLE', 'SERVICE_UNAVAILABLE'].includes(error.code);
}

/** Whether a service could not be asked for its part. */
export function lacksAnswers(answer: unknown): boolean {
  return ((answer as { readonly unanswered?: readonly unknown[] } | undefined)?.unanswered ?? []).length > 0;
}
