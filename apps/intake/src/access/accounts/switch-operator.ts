import type { AdministratorChange } from '@rubrica/approvals/administrator-change';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process/errors';
import type { AccessDeps } from '../deps.ts';
import { endInvitation } from '../invitations/open-invitation.ts';
import type { OperatorDeps } from '../operators/operator-directory.ts';
import { auditOperatorChange, viewChangedOperator } from './audit-operator-change.ts';
import { isInvited } from './invite-operator.ts';
import {
  assertOthersRemain,
  endRights,
  lockOperatorChanges,
  lockOther,
  lockPerson,
  toOperatorState,
} from './lock-operator.ts';
import { viewOperator } from './operator-view.ts';

type SwitchOperatorDeps = Pick<AccessDeps, 'database' | 'rows'> & OperatorDeps;

/**
 * Disables an operator and ends its open link.
 * @throws AppError REQUEST_NOT_FOUND, FORBIDDEN for one's own account, REQUEST_STATE_NOT_ALLOWED for one of
 *   the last two administrators
 */
export function createDisableOperator(deps: SwitchOperatorDeps): AdministratorChange<'operators.disable'> {
  return {
    lockFirst: lockOperatorChanges,
    loadBefore: async (em, { operatorId }, by) => toOperatorState(await lockOther(em, operatorId, by)),
    async make(em, { operatorId, reason }, by) {
      const operator = await lockOther(em, operatorId, by);
      if (operator.enabled) {
        await assertOthersRemain(em, operator, deps.rows);
        endRights(operator);
      }
      operator.enabled = false;
      await endInvitation(em, operatorId);
      await auditOperatorChange(em, { operatorId, by, action: 'operators.disable', reason });
    },
    answer: (_, { operatorId }) => viewChangedOperator(deps, operatorId),
    loadPresent: ({ operatorId }) => viewOperator(deps, operatorId),
  };
}

/**
 * @throws AppError REQUEST_NOT_FOUND, FORBIDDEN for one's own account, REQUEST_STATE_NOT_ALLOWED for an
 *   account that was never opened
 */
export function createEnableOperator(deps: SwitchOperatorDeps): AdministratorChange<'operators.enable'> {
  return {
    lockFirst: lockOperatorChanges,
    async loadBefore(em, { operatorId }, by) {
      const operator = await lockPerson(em, operatorId, by);
      if (isInvited(operator)) throw neverOpened();
      return toOperatorState(operator);
    },
    async make(em, { operatorId, reason }, by) {
      const operator = await lockPerson(em, operatorId, by);
      operator.enabled = true;
      await auditOperatorChange(em, { operatorId, by, action: 'operators.enable', reason });
    },
    answer: (_, { operatorId }) => viewChangedOperator(deps, operatorId),
    loadPresent: ({ operatorId }) => viewOperator(deps, operatorId),
  };
}

function neverOpened(): AppError {
  return new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: createText('operator.noPassword'),
  });
}
