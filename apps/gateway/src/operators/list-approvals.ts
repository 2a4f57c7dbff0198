import { approvalServices } from '@rubrica/contracts/operators/approvals';
import type { OperatorInput, OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { type OperatorCaller, toAppError } from '@rubrica/process';
import type { AskForOperator } from '@rubrica/wiring';

type Input = OperatorInput<'approvals.list'>;
type Page = OperatorOutput<'approvals.list'>;

interface InHand {
  readonly for: OperatorCaller & { readonly sealedToken: string };
  readonly signal?: AbortSignal;
}

/**
 * What waits for a second administrator in all services, newest first. A service that does not answer is named, and what
 * the others have is shown.
 * @throws AppError of a service that refuses, or where none answers
 */
export async function listApprovals(ask: AskForOperator, input: Input, call: InHand): Promise<Page> {
  const parts = await Promise.allSettled(
    approvalServices.map((at) => ask('approvals.list', input, { ...call, at }) as Promise<Page>),
  );
  const faults = parts.flatMap((part) => (part.status === 'rejected' ? toAppError(part.reason) : []));
  const [fault] = faults.toSorted((a, b) => Number(isAway(a.code)) - Number(isAway(b.code)));
  if (fault !== undefined && (!isAway(fault.code) || faults.length === parts.length)) throw fault;
  const pages = parts.flatMap((part) => (part.status === 'fulfilled' ? part.value : []));
  const unanswered = approvalServices.filter((_, index) => parts[index]?.status === 'rejected');
  return { ...mergePages(pages, input.limit ?? 25), unanswered };
}

function isAway(code: string): boolean {
  return code === 'SERVICE_UNAVAILABLE';
}

/**
 * One page out of one of each service, by id, whose order is that of time. A service has told all that is newer than its
 * cursor; of what is older than any of their cursors nothing is shown yet, because another may have more of that time.
 */
export function mergePages(
  pages: readonly Pick<Page, 'items' | 'nextCursor'>[],
  limit: number,
): Pick<Page, 'items' | 'nextCursor'> {
  const [horizon] = pages.flatMap(({ nextCursor }) => nextCursor ?? []).sort((a, b) => newestFirst(a, b));
  const told = pages
    .flatMap(({ items }) => items)
    .filter(({ id }) => horizon === undefined || newestFirst(id, horizon) <= 0)
    .sort((a, b) => newestFirst(a.id, b.id));
  const items = told.slice(0, limit);
  const isCut = told.length > limit;
  return { items, nextCursor: (isCut ? items.at(-1)?.id : horizon) ?? null };
}

/** By the UUID v7 after the service's name. */
function newestFirst(a: string, b: string): number {
  const [one, other] = [uuidOf(a), uuidOf(b)];
  if (one === other) return 0;
  return one > other ? -1 : 1;
}

function uuidOf(id: string): string {
  return id.slice(id.indexOf('.') + 1);
}
