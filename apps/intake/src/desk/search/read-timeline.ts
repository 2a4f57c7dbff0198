import type { OperatorUseCase } from '@rubrica/wiring';
import { requestNotFound } from '../../base/errors.ts';
import { StepEntity } from '../../requests/request/request.entity.ts';
import { findProvenEntries, type ProvenEntries, unprovenActor } from '../../requests/request/timeline-mac.ts';
import type { DeskDeps } from '../deps.ts';

type RequestTimeline = OperatorUseCase<'requests.timeline'>;

/** Maximum number of entries: a request passes through few states and cannot collect as many. */
const maxEntries = 500;

/**
 * Lists the timeline, oldest first; empty for an unknown request. An actor that nothing proves is not shown.
 */
export async function readTimeline(
  { database, rows }: Pick<DeskDeps, 'database' | 'rows'>,
  requestId: string,
  known?: ProvenEntries,
) {
  const proven = known ?? (await findProvenEntries(database, rows, requestId));
  const entries = await database
    .fork()
    .find(StepEntity, { requestId }, { orderBy: { place: 'asc' }, limit: maxEntries });
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
    const items = await readTimeline(deps, requestId);
    if (items.length === 0) throw requestNotFound();
    return { items };
  };
}
