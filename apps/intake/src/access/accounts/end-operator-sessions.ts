import type { AdministratorChange } from '@rubrica/approvals/administrator-change';
import { recordAudit } from '@rubrica/audit/log';
import type { AccessDeps } from '../deps.ts';
import { OperatorEntity } from '../operators/operator.entity.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import type { SessionDirectoryDeps } from '../sessions/session-directory.ts';
import { operatorNotFound } from './operator-view.ts';

type EndOperatorSessionsDeps = Pick<AccessDeps, 'clock'> & SessionDirectoryDeps;

/** Signs an operator out everywhere. @throws AppError REQUEST_NOT_FOUND */
export function createEndOperatorSessions(
  deps: EndOperatorSessionsDeps,
): AdministratorChange<'operators.endSessions', readonly string[]> {
  return {
    async loadBefore(em, { operatorId }) {
      const operator = await em.findOne(OperatorEntity, { id: operatorId });
      if (!operator) throw operatorNotFound();
      return { operatorId, email: operator.email };
    },
    async make(em, { operatorId, reason }, by) {
      const ended = await endSessions(em, { operatorId }, deps.clock());
      await recordAudit(em, {
        actor: `operator:${by.email}`,
        action: 'operators.endSessions',
        target: `operator:${operatorId}`,
        reason,
        details: { sessions: ended },
      });
      return ended;
    },
    answer(ended) {
      for (const id of ended) deps.sessions.forget(id);
      return { ended: ended.length };
    },
    loadPresent: async () => ({ ended: 0 }),
  };
}
