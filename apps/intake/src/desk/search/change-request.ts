import { recordAudit } from '@rubrica/audit/log';
import type { OperatorCaller } from '@rubrica/process/trpc';
import type { OperatorUseCase } from '@rubrica/wiring';
import { assertCurrentRole } from '../../access/operators/assert-current-role.ts';
import { requestNotFound, stateNotAllowed } from '../../base/errors.ts';
import { applyTransition } from '../../requests/request/apply-transition.ts';
import { canRerun } from '../../requests/request/can-rerun.ts';
import { verifyRequest } from '../../requests/request/registered/verify-request.ts';
import type { Request } from '../../requests/request/request.entity.ts';
import { lockById } from '../../requests/request/request.repository.ts';
import { chooseRetryTrigger, type FailedStep, type Trigger } from '../../requests/request/state-machine.ts';
import type { DeskDeps } from '../deps.ts';
import { toRequestRow } from './request-row.ts';

type CancelByOperator = OperatorUseCase<'requests.cancel'>;
type RerunRequest = OperatorUseCase<'requests.rerun'>;
type ChangeRequestDeps = Pick<DeskDeps, 'database' | 'clock' | 'newId' | 'rules' | 'rows'>;

interface Change {
  readonly input: { readonly requestId: string; readonly reason?: string | undefined };
  readonly operator: OperatorCaller;
  readonly action: string;
  readonly chooseTrigger: (request: Request) => Trigger;
}

function changeRequest(deps: ChangeRequestDeps, { input, operator, action, chooseTrigger }: Change) {
  return deps.database.transaction(async (em) => {
    await assertCurrentRole(em, operator, 'reviewer');
    const request = await lockById(em, input.requestId);
    if (!request) throw requestNotFound();
    const actor = `operator:${operator.email}`;
    const trigger = chooseTrigger(request);
    // Cancelling ends what may have been altered, so it needs no check.
    const verified = trigger === 'cancel' ? undefined : await verifyRequest(em, deps.rows, request);
    await applyTransition(em, request, trigger, {
      now: deps.clock(),
      actor,
      newId: deps.newId,
      rows: deps.rows,
      ...(verified === undefined ? {} : { verified }),
      errorWindowDays: deps.rules.errorWindowDays,
      retention: deps.rules.retention,
      ...(input.reason === undefined ? {} : { reason: input.reason }),
    });
    await recordAudit(em, { actor, action, target: `request:${request.id}`, reason: input.reason });
    return toRequestRow(request);
  });
}

/** @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED */
export function createCancelByOperator(deps: ChangeRequestDeps): CancelByOperator {
  const change = { action: 'requests.cancel', chooseTrigger: (): Trigger => 'cancel' };
  return (input, { caller: operator }) => changeRequest(deps, { input, operator, ...change });
}

/**
 * Chooses the trigger of a rerun. The linked partner reruns by its own counted retries; in other families an
 * operator may, if the code allows it.
 */
function chooseRerunTrigger(request: Request): Trigger {
  if (request.status !== 'ERROR' || request.family === 'TV' || !canRerun(request))
    throw stateNotAllowed(request.status);
  return chooseRetryTrigger({
    retryCount: 0,
    failedStep: request.failedStep as FailedStep,
    voidsApproval: false,
  });
}

/** @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED */
export function createRerunRequest(deps: ChangeRequestDeps): RerunRequest {
  const change = { action: 'requests.rerun', chooseTrigger: chooseRerunTrigger };
  return (input, { caller: operator }) => changeRequest(deps, { input, operator, ...change });
}
