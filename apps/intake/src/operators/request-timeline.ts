import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { requestNotFound } from '../errors.ts';
import { StepEntity } from '../request/request.entity.ts';

type RequestTimeline = OperatorUseCase<'requests.timeline'>;

/** A request passes through few states; this many entries is more than any can collect. */
const mostEntries = 500;

/** Oldest first; empty for a request that does not exist. */
export async function timelineOf({ database }: Pick<IntakeDeps, 'database'>, requestId: string) {
  const entries = await database
    .fork()
    .find(StepEntity, { requestId }, { orderBy: { place: 'asc' }, limit: mostEntries });
  return entries.map(({ at, trigger, status, validationStatus, code, actor, reason }) => ({
    at: at.toISOString(),
    kind: trigger,
    status,
    validationStatus,
    code,
    actor,
    reason,
  }));
}

/** @throws AppError REQUEST_NOT_FOUND */
export function createRequestTimeline(deps: Pick<IntakeDeps, 'database'>): RequestTimeline {
  return async ({ requestId }) => {
    const items = await timelineOf(deps, requestId);
    if (items.length === 0) throw requestNotFound();
    return { items };
  };
}
