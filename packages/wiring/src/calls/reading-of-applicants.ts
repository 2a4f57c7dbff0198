import type { OperatorCaller } from '@rubrica/process';

/** One answer about applicants: who asked for it, by what, and whose requests it shows. */
export interface ReadingOfApplicants {
  readonly operator: OperatorCaller;
  /** The procedure. */
  readonly action: string;
  readonly requestIds: readonly string[];
  /** Names of the fields asked by; never what they said, which would outlive the applicant's data. */
  readonly askedBy: readonly string[];
}

interface Answered {
  readonly operator: OperatorCaller;
  readonly input: unknown;
  readonly output: unknown;
}

export function readingOf(action: string, { operator, input, output }: Answered): ReadingOfApplicants {
  const askedBy = Object.entries(input ?? {})
    .filter(([name, value]) => value !== undefined && name !== 'limit' && name !== 'cursor')
    .map(([name]) => name);
  return { operator, action, requestIds: [...new Set(requestIdsOf(output))], askedBy };
}

/** An answer is about one request, or holds a list of rows that are. */
function requestIdsOf(output: unknown): string[] {
  const { requestId, items, requests } = output as {
    readonly requestId?: string;
    readonly items?: readonly unknown[];
    readonly requests?: readonly unknown[];
  };
  if (requestId !== undefined) return [requestId];
  return [...(items ?? []), ...(requests ?? [])].flatMap(requestIdsOf);
}
