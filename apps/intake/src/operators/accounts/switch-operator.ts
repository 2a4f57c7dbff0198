import { recordAudit } from '@rubrica/database';
import type { AdministratorChange } from '@rubrica/wiring/approvals';
import type { IntakeDeps } from '../../context.ts';
import { assertOthersRemain, endRights, lockOther, operatorAsItIs } from './lock-operator.ts';
import { viewOperator } from './operator-view.ts';

type Path = 'operators.disable' | 'operators.enable';
type Needs = Pick<IntakeDeps, 'database' | 'rows' | 'operators'>;

/** @throws AppError REQUEST_NOT_FOUND, FORBIDDEN for oneself, REQUEST_STATE_NOT_ALLOWED for one of the last two */
export function createDisableOperator(deps: Needs): AdministratorChange<'operators.disable'> {
  return switching('operators.disable', false, deps);
}

/** @throws AppError REQUEST_NOT_FOUND, FORBIDDEN for oneself */
export function createEnableOperator(deps: Needs): AdministratorChange<'operators.enable'> {
  return switching('operators.enable', true, deps);
}

function switching(action: Path, enabled: boolean, deps: Needs): AdministratorChange<Path> {
  return {
    before: async (em, { operatorId }, by) => operatorAsItIs(await lockOther(em, operatorId, by)),
    async make(em, { operatorId, reason }, by) {
      const operator = await lockOther(em, operatorId, by);
      if (!enabled && operator.enabled) {
        await assertOthersRemain(em, operator);
        endRights(operator);
      }
      operator.enabled = enabled;
      await recordAudit(em, {
        actor: `operator:${by.email}`,
        action,
        target: `operator:${operatorId}`,
        reason,
      });
      return () => {
        deps.operators.forget(operatorId);
        return viewOperator(deps, operatorId);
      };
    },
    asItIs: ({ operatorId }) => viewOperator(deps, operatorId),
  };
}
