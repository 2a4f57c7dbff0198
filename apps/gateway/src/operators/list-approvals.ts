import type { OperatorInput, OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { approvalServices } from '@rubrica/contracts/shared/enumerations';
import { toAppError } from '@rubrica/process/errors';
import type { OperatorCaller } from '@rubrica/process/trpc';
import type { AskForOperator } from '@rubrica/wiring';

type Input = OperatorInput<'approvals.list'>;
type Page = OperatorOutput<'approvals.list'>;

interface ForwardedCall {
  readonly for: OperatorCaller & { readonly sealedToken: string };
  readonly signal?: AbortSignal;
}

/**
 * Lists the changes that wait for an approver in all services, newest first. Services that do not answer are named, and
 * the others are listed.
 * @throws AppError of a service that refuses, or where none answers
 */
export async function listApprovals(ask: AskForOperator, input: Input, call: ForwardedCall): Promise<Page> {
  const parts = await Promise.allSettled(
    approvalServices.map((at) => ask('approvals.list', input, { ...call, at }) as Promise<Page>),
  );
  const faults = parts.flatMap((part) => (part.status === 'rejected' ? toAppError(part.reason) : []));
  const [fault] = faults.toSorted((a, b) => Number(isUnavailable(a.code)) - Number(isUnavailable(b.code)));
  if (fault !== undefined && (!isUnavailable(fault.code) || faults.length === parts.length)) throw fault;
  const pages = parts.flatMap((part) => (part.status === 'fulfilled' ? part.value : []));
  const unanswered = approvalServices.filter((_, index) => parts[index]?.status === 'rejected');
  return { ...mergePages(pages, input.limit ?? 25), unanswered };
}

function isUnavailable(code: string): boolean {
  return code === 'SERVICE_UNAVAILABLE';
}

/**
 * Merges one page of each service, by id, whose order is chronological. A service has listed everything newer than its
 * cursor. Nothing older than the newest cursor is included, because that service may have more of that period.
 */
export function mergePages(
  pages: readonly Pick<Page, 'items' | 'nextCursor'>[],
  limit: number,
): Pick<Page, 'items' | 'nextCursor'> {
  const [horizon] = pages.flatMap(({ nextCursor }) => nextCursor ?? []).sort((a, b) => newestFirst(a, b));
  const complete = pages
    .flatMap(({ items }) => items)
    .filter(({ id }) => horizon === undefined || newestFirst(id, horizon) <= 0)
    .sort((a, b) => newestFirst(a.id, b.id));
  const items = complete.slice(0, limit);
  const isCut = complete.length > limit;
  return { items, nextCursor: (isCut ? items.at(-1)?.id : horizon) ?? null };
}

/** Orders by the UUID v7 after the service's name. */
function newestFirst(a: string, b: string): number {
  const [left, right] = [extractUuid(a), extractUuid(b)];
  if (left === right) return 0;
  return left > right ? -1 : 1;
}

function extractUuid(id: string): string {
  return id.slice(id.indexOf('.') + 1);
}
