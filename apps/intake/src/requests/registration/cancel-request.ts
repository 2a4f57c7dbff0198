import { crashpoint } from '@rubrica/process/crashpoint';
import type { UseCase } from '@rubrica/wiring';
import { crashPoints } from '../../base/crash-points.ts';
import { refuseBody } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import { applyTransition } from '../request/apply-transition.ts';
import { toChangedAnswer } from '../request/changed-request.ts';
import { lockOwn } from '../request/request.repository.ts';

type CancelRequest = UseCase<'intake', 'requests.cancel'>;

/**
 * Cancels a request that is not yet in generation and destroys its secrets.
 * @throws AppError 400 for faults of the body, REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED
 */
export function createCancelRequest(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'newId' | 'rules' | 'rows'>,
): CancelRequest {
  return async (input, { caller: { partnerId } }) => {
    if (input.faults.length > 0) throw refuseBody(input.faults);
    const cancelled = await deps.database.transaction(async (em) => {
      const request = await lockOwn(em, {
        ...input,
        partnerId,
        ...(input.family === 'TV' && { orRenewal: true }),
      });
      await applyTransition(em, request, 'cancel', {
        now: deps.clock(),
        actor: 'partner',
        newId: deps.newId,
        rows: deps.rows,
        errorWindowDays: deps.rules.errorWindowDays,
        retention: deps.rules.retention,
        ...(input.reason === undefined ? {} : { reason: input.reason }),
      });
      return request;
    });
    crashpoint(crashPoints.afterCancel);
    return toChangedAnswer(cancelled);
  };
}
