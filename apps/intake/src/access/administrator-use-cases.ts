import { createApprovals } from '@rubrica/wiring/approvals';
import type { IntakeDeps } from '../context.ts';
import { createLegalHold, createReleaseLegalHold } from '../requests/retention/change-legal-hold.ts';
import { createEraseRequests } from '../requests/retention/erase-requests.ts';
import { createAdministrators } from './accounts/administrators.ts';
import { createChangeRole } from './accounts/change-role.ts';
import { createEndOperatorSessions } from './accounts/end-operator-sessions.ts';
import { createInviteOperator } from './accounts/invite-operator.ts';
import { createResetFactors } from './accounts/reset-factors.ts';
import { createDisableOperator, createEnableOperator } from './accounts/switch-operator.ts';
import { createCreatePartner } from './partners/create-partner.ts';
import { createIssueToken } from './partners/issue-token.ts';
import { createAddKey } from './partners/keys/add-key.ts';
import { createRemoveKey } from './partners/keys/remove-key.ts';
import { createRevokeToken } from './partners/revoke-token.ts';
import { createRotateSecret } from './partners/rotate-secret.ts';
import { createUpdatePartner } from './partners/update-partner.ts';

/** What administrators change, at once or with a second one, as each row says. */
export function createAdministratorUseCases(deps: IntakeDeps) {
  const { database, rows, clock, newId } = deps;
  return createApprovals({
    service: 'intake',
    database,
    rows,
    clock,
    newId,
    administrators: createAdministrators(deps),
    changes: {
      'requests.legalHold': createLegalHold(deps),
      'requests.releaseLegalHold': createReleaseLegalHold(deps),
      'requests.erase': createEraseRequests(deps),
      'partners.create': createCreatePartner(deps),
      'partners.update': createUpdatePartner(deps),
      'partners.rotateSecret': createRotateSecret(deps),
      'partners.addKey': createAddKey(deps),
      'partners.removeKey': createRemoveKey(deps),
      'partners.issueToken': createIssueToken(deps),
      'partners.revokeToken': createRevokeToken(deps),
      'operators.changeRole': createChangeRole(deps),
      'operators.disable': createDisableOperator(deps),
      'operators.enable': createEnableOperator(deps),
      'operators.invite': createInviteOperator(deps),
      'operators.resetFactors': createResetFactors(deps),
      'operators.endSessions': createEndOperatorSessions(deps),
    },
  });
}
