import type { ReadingOfApplicants } from '@rubrica/audit/log';
import type { OperatorCaller } from '@rubrica/process/trpc';

interface AnsweredCall {
  readonly operator: OperatorCaller;
  readonly input: unknown;
  readonly output: unknown;
}

export function toReading(action: string, { operator, input, output }: AnsweredCall): ReadingOfApplicants {
  const askedBy = Object.entries(input ?? {})
    .filter(([name, value]) => value !== undefined && name !== 'limit' && name !== 'cursor')
    .map(([name]) => name);
  return { operator, action, requestIds: [...new Set(listRequestIds(output))], askedBy };
}

/** Lists the request ids of an answer, which is about one request or holds a list of rows. */
function listRequestIds(output: unknown): string[] {
  const { requestId, items, requests } = output as {
    readonly requestId?: string;
    readonly items?: readonly unknown[];
    readonly requests?: readonly unknown[];
  };
  if (requestId !== undefined) return [requestId];
  return [...(items ?? []), ...(requests ?? [])].flatMap(listRequestIds);
}
