import type { AdministratorChange } from '@rubrica/approvals/administrator-change';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process/errors';
import type { AccessDeps } from '../deps.ts';
import { removeFactors } from '../factors/remove-factor.ts';
import { mailInvitation } from '../invitations/open-invitation.ts';
import { assertOwnFactors } from '../operators/assert-method-allowed.ts';
import { addMakers } from '../operators/makers.ts';
import type { OperatorDeps } from '../operators/operator-directory.ts';
import { auditOperatorChange, viewChangedOperator } from './audit-operator-change.ts';
import { endRights, lockOperatorChanges, lockPerson, toOperatorState } from './lock-operator.ts';
import { viewOperator } from './operator-view.ts';

type ResetFactorsDeps = Pick<AccessDeps, 'database' | 'rows' | 'clock' | 'newId' | 'keyring'> & OperatorDeps;

/**
 * Removes password, codes and passkeys of an operator, ends the sessions, and mails a link to choose new
 * ones.
 * @throws AppError REQUEST_NOT_FOUND, FORBIDDEN for one's own account, REQUEST_STATE_NOT_ALLOWED for a
 *   disabled account and for an operator of the organisation's provider
 */
export function createResetFactors(deps: ResetFactorsDeps): AdministratorChange<'operators.resetFactors'> {
  return {
    lockFirst: lockOperatorChanges,
    async loadBefore(em, { operatorId }, by) {
      const operator = await lockPerson(em, operatorId, by);
      if (!operator.enabled) throw disabled();
      await assertOwnFactors(em, operatorId);
      return toOperatorState(operator);
    },
    async make(em, { operatorId, language, reason }, by) {
      const operator = await lockPerson(em, operatorId, by);
      operator.passwordHash = null;
      endRights(operator);
      const how = { action: 'resetFactors', now: deps.clock() } as const;
      operator.madeBy = addMakers(operator.madeBy, by, how);
      await em.flush();
      await removeFactors(em, operatorId, deps);
      await mailInvitation(em, { operator, kind: 'reset', language, causedBy: by.email }, deps);
      await auditOperatorChange(em, { operatorId, by, action: 'operators.resetFactors', reason });
    },
    answer: (_, { operatorId }) => viewChangedOperator(deps, operatorId),
    loadPresent: ({ operatorId }) => viewOperator(deps, operatorId),
  };
}

function disabled(): AppError {
  return new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: createText('operator.notOpened'),
  });
}
