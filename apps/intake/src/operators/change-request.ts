import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { recordAudit } from '@rubrica/database';
import type { OperatorCaller } from '@rubrica/process';
import { asOperator, type IntakeContext, procedure } from '../context.ts';
import { requestNotFound, stateNotAllowed } from '../errors.ts';
import { applyTransition } from '../request/apply-transition.ts';
import type { Request } from '../request/request.entity.ts';
import { lockById } from '../request/request.repository.ts';
import { type FailedStep, retryTrigger, type Trigger } from '../request/state-machine.ts';
import { toRequestRow } from './request-row.ts';

const cancel = operatorProcedures['requests.cancel'];
const rerun = operatorProcedures['requests.rerun'];

interface Change {
  readonly input: { requestId: string; reason?: string | undefined };
  readonly operator: OperatorCaller;
  readonly action: string;
  readonly triggerFor: (request: Request) => Trigger;
}

function changeRequest(ctx: IntakeContext, { input, operator, action, triggerFor }: Change) {
  return ctx.database.transaction(async (em) => {
    const request = await lockById(em, input.requestId);
    if (!request) throw requestNotFound();
    const actor = `operator:${operator.email}`;
    await applyTransition(em, request, triggerFor(request), {
      now: ctx.clock(),
      actor,
      newId: ctx.newId,
      errorWindowDays: ctx.rules.errorWindowDays,
      retention: ctx.rules.retention,
      ...(input.reason === undefined ? {} : { reason: input.reason }),
    });
    await recordAudit(em, { actor, action, target: `request:${request.id}`, reason: input.reason });
    return toRequestRow(request);
  });
}

export const cancelByOperatorProcedure = procedure
  .use(asOperator(cancel.role))
  .input(cancel.input)
  .output(cancel.output)
  .mutation(({ ctx, input }) =>
    changeRequest(ctx, {
      input,
      operator: ctx.caller,
      action: 'requests.cancel',
      triggerFor: () => 'cancel',
    }),
  );

/** The linked partner reruns by its own counted retries; elsewhere an operator may, where the code allows it. */
function rerunTrigger(request: Request): Trigger {
  const retryable = request.errorCode !== null && errorCatalogue[request.errorCode].retryable;
  if (request.status !== 'ERROR' || request.family === 'TV' || !retryable)
    throw stateNotAllowed(request.status);
  return retryTrigger({ retryCount: 0, failedStep: request.failedStep as FailedStep, voidsApproval: false });
}

export const rerunRequestProcedure = procedure
  .use(asOperator(rerun.role))
  .input(rerun.input)
  .output(rerun.output)
  .mutation(({ ctx, input }) =>
    changeRequest(ctx, { input, operator: ctx.caller, action: 'requests.rerun', triggerFor: rerunTrigger }),
  );
