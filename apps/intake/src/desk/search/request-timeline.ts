import type { OperatorUseCase } from '@rubrica/wiring';
import { requestNotFound } from '../../base/errors.ts';
import { StepEntity } from '../../requests/request/request.entity.ts';
import { findProvenEntries, type ProvenEntries, unprovenActor } from '../../requests/request/timeline-mac.ts';
import type { DeskDeps } from '../deps.ts';

type RequestTimeline = OperatorUseCase<'requests.timeline'>;

/** A request passes through few states; this many entries is more than any can collect. */
const mostEntries = 500;

/** Oldest first; empty for a request that does not exist. Nobody is said to have done what nothing proves. */
export async function timelineOf(
  { database, rows }: Pick<DeskDeps, 'database' | 'rows'>,
  requestId: string,
  known?: ProvenEntries,
) {
  const proven = known ?? (await findProvenEntries(database, rows, requestId));
  const entries = await database
    .fork()
    .find(StepEntity, { requestId }, { orderBy: { place: 'asc' }, limit: mostEntries });
  return entries.map((entry) => {
    const { at, trigger, status, validationStatus, code, actor, reason } = entry;
    const isProven = proven.isProven({ at, trigger, actor, reason: reason ?? null });
    return {
      at: at.toISOString(),
      kind: trigger,
      status,
      validationStatus,
      code,
      actor: isProven ? actor : unprovenActor,
      reason: isProven ? reason : null,
    };
  });
}

/** @throws AppError REQUEST_NOT_FOUND */
export function createRequestTimeline(deps: Pick<DeskDeps, 'database' | 'rows'>): RequestTimeline {
  return async ({ requestId }) => {
    const items = await timelineOf(deps, requestId);
    if (items.length === 0) throw requestNotFound();
    return { items };
  };
}
