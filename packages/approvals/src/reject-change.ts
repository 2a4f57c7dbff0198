import type { OperatorUseCase } from '@rubrica/wiring';
import { assertAdministrator } from './administrators.ts';
import { type ApprovalDeps, endWaiting, readWaiting, toApproval } from './waiting-change.ts';

/**
 * Creates the rejection of a waiting change; its proposer may withdraw it this way. One transaction ends the change
 * with its entry in the audit log.
 * @throws AppError REQUEST_NOT_FOUND, FORBIDDEN
 */
export function createRejectChange(deps: ApprovalDeps): OperatorUseCase<'approvals.reject'> {
  const { service, database, administrators } = deps;
  return async ({ id, reason }, { caller: operator }) => {
    const remote = await administrators.requestStatus({ operator });
    return database.transaction(async (em) => {
      assertAdministrator(await administrators.readStatus(em, { operator }, remote));
      const row = await readWaiting(deps, em, id);
      await endWaiting(deps, em, { row, operator, reason, action: 'approvals.reject' });
      return toApproval(service, row);
    });
  };
}
