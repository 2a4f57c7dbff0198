import type { EntityManager } from '@mikro-orm/postgresql';
import { FenceLost, runStatement } from '@rubrica/database';
import { stateNotAllowed } from '../errors.ts';
import { type PlanOptions, planTransition, TransitionNotAllowed } from './plan-transition.ts';
import type { Request } from './request.entity.ts';
import type { Trigger } from './state-machine.ts';
import { type SideEffects, type TransitionContext, transitionStatement } from './write-transition.ts';

export type TransitionOptions = PlanOptions & TransitionContext;

/**
 * Makes one transition on a locked request, in the transaction of `em`; what was changed on the entity before is
 * written with it, and the entity shows the new state afterwards.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED where the state machine has no such row
 */
export async function applyTransition(
  em: EntityManager,
  request: Request,
  trigger: Trigger,
  options: TransitionOptions & { readonly sideEffects?: SideEffects },
): Promise<void> {
  const plan = planOrRefuse(request, trigger, options);
  await em.flush();
  const sideEffects = { claimExpiresAt: request.claimExpiresAt, ...options.sideEffects };
  const rows = await runStatement(em, transitionStatement(request, plan, options, sideEffects));
  if (rows.length === 0) throw new FenceLost({ table: 'request', key: request.id, fence: request.fence });
  await em.refresh(request);
}

function planOrRefuse(request: Request, trigger: Trigger, options: TransitionOptions) {
  try {
    return planTransition(request, trigger, options);
  } catch (error) {
    if (error instanceof TransitionNotAllowed) throw stateNotAllowed(request.status);
    throw error;
  }
}
