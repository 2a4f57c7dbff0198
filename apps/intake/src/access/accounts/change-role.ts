import type { AdministratorChange } from '@rubrica/approvals/administrator-change';
import { raisesRole } from '@rubrica/contracts/operators/second-approver';
import type { AccessDeps } from '../deps.ts';
import { addMakers } from '../operators/makers.ts';
import type { OperatorDeps } from '../operators/operator-directory.ts';
import { auditOperatorChange, viewChangedOperator } from './audit-operator-change.ts';
import {
  assertOthersRemain,
  endRights,
  lockOperatorChanges,
  lockPerson,
  toOperatorState,
} from './lock-operator.ts';
import { viewOperator } from './operator-view.ts';

type ChangeRoleDeps = Pick<AccessDeps, 'database' | 'rows' | 'clock'> & OperatorDeps;

/**
 * @throws AppError REQUEST_NOT_FOUND, FORBIDDEN for one's own account, REQUEST_STATE_NOT_ALLOWED for one of
 *   the last two administrators
 */
export function createChangeRole(deps: ChangeRoleDeps): AdministratorChange<'operators.changeRole'> {
  return {
    lockFirst: lockOperatorChanges,
    loadBefore: async (em, { operatorId }, by) => toOperatorState(await lockPerson(em, operatorId, by)),
    async make(em, { operatorId, role, reason }, by) {
      const operator = await lockPerson(em, operatorId, by);
      const previous = operator.role;
      if (raisesRole({ role: previous }, { role })) {
        const how = { action: 'promote', now: deps.clock() } as const;
        operator.madeBy = addMakers(operator.madeBy, by, how);
      } else if (role !== previous) {
        await assertOthersRemain(em, operator, deps.rows);
        endRights(operator);
      }
      operator.role = role;
      const details = { was: previous, role };
      const action = 'operators.changeRole';
      await auditOperatorChange(em, { operatorId, by, action, reason, details });
    },
    answer: (_, { operatorId }) => viewChangedOperator(deps, operatorId),
    loadPresent: ({ operatorId }) => viewOperator(deps, operatorId),
  };
}
