import { recordAudit } from '@rubrica/audit/log';
import type { OperatorCaller } from '@rubrica/process/trpc';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import { listFactors } from '../factors/list-factors.ts';
import { OperatorEntity } from '../operators/operator.entity.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { listOpenSessions } from '../sessions/list-open-sessions.ts';
import type { SessionDirectoryDeps } from '../sessions/session-directory.ts';

type OwnSessionsDeps = Pick<AccessDeps, 'database' | 'clock'> & SessionDirectoryDeps;

/** Lists the operator who is signed in, with all open sessions. */
export function createOwnSessions({
  database,
  clock,
  rows,
}: OwnSessionsDeps & Pick<AccessDeps, 'rows'>): OperatorUseCase<'auth.sessions'> {
  return async (_, { caller }) => {
    const { operatorId, email, role, session } = caller;
    const em = rows.forShowing(database.fork());
    const operator = await em.findOneOrFail(OperatorEntity, { id: operatorId });
    const sessions = await listOpenSessions(em, operator, clock());
    return {
      operator: { operatorId, email, role, scope: session?.scope ?? 'full' },
      ...(await listFactors(em, operatorId)),
      items: sessions.map((item) => ({ ...item, isCurrent: item.sessionId === session?.id })),
    };
  };
}

/** Ends the session of the call. */
export function createSignOut(deps: OwnSessionsDeps): OperatorUseCase<'auth.signOut'> {
  return async ({ reason }, { caller }) => {
    const sessionId = caller.session?.id;
    if (sessionId === undefined) return { ended: 0 };
    return end({ caller, action: 'auth.signOut', sessionId, reason }, deps);
  };
}

/**
 * Ends another session of the caller, or all of them. A session that is not the caller's, or has ended,
 * counts as none.
 */
export function createEndSession(deps: OwnSessionsDeps): OperatorUseCase<'auth.endSession'> {
  return ({ sessionId, reason }, { caller }) =>
    end({ caller, action: 'auth.endSession', sessionId, reason }, deps);
}

interface EndOptions {
  readonly caller: OperatorCaller;
  readonly action: string;
  /** Session to end; absent for all. */
  readonly sessionId: string | undefined;
  readonly reason: string | undefined;
}

async function end(
  { caller: { operatorId, email }, action, sessionId, reason }: EndOptions,
  { database, clock, sessions }: OwnSessionsDeps,
): Promise<{ ended: number }> {
  const ended = await database.transaction(async (em) => {
    const ids = await endSessions(em, { operatorId, sessionId }, clock());
    await recordAudit(em, {
      actor: `operator:${email}`,
      action,
      target: `operator:${operatorId}`,
      reason,
      details: { sessions: ids },
    });
    return ids;
  });
  for (const id of ended) sessions.forget(id);
  return { ended: ended.length };
}
