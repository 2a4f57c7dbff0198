import type * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import type { z } from 'zod';
import type { Dependencies } from '../dependencies.ts';
import { refuseBody } from '../errors.ts';
import { applyTransition } from '../request/apply-transition.ts';
import type { Request } from '../request/request.entity.ts';
import { lockOwn } from '../request/request.repository.ts';

/**
 * Cancels a request that is not yet in generation and destroys its secrets.
 * @throws AppError 400 for faults of the body, REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED
 */
export function createCancelRequest(deps: Pick<Dependencies, 'database' | 'clock' | 'newId' | 'rules'>) {
  return async (input: z.output<typeof intakeContract.cancelInput>, partnerId: string): Promise<Request> => {
    if (input.faults.length > 0) throw refuseBody(input.faults);
    return deps.database.transaction(async (em) => {
      const request = await lockOwn(em, { ...input, partnerId });
      await applyTransition(em, request, 'cancel', {
        now: deps.clock(),
        actor: 'partner',
        newId: deps.newId,
        errorWindowDays: deps.rules.errorWindowDays,
        retention: deps.rules.retention,
        ...(input.reason === undefined ? {} : { reason: input.reason }),
      });
      return request;
    });
  };
}
