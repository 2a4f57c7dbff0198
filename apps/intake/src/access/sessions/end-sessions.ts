import { type EntityManager, LockMode } from '@mikro-orm/postgresql';

import { findIntact } from '@rubrica/database/guarded';
import { OperatorSessionEntity } from './session.entity.ts';

interface SessionFilter {
  readonly operatorId: string;
  /** Session to end; absent for all. */
  readonly sessionId?: string | undefined;
  /** Session that stays open. */
  readonly except?: string | undefined;
}

/**
 * Ends sessions of an operator, in the caller's transaction; the caller writes the audit. Every copy refuses
 * their tokens within 3 s; the copy that removes them from its directory does so at once.
 * @returns the ids of the sessions that were open
 */
export async function endSessions(
  em: EntityManager,
  { operatorId, sessionId, except }: SessionFilter,
  now: Date,
): Promise<string[]> {
  const open = { operatorId, endedAt: null, expiresAt: { $gt: now } };
  const filter = sessionId === undefined ? open : { ...open, id: sessionId };
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const sessions = await findIntact(em, OperatorSessionEntity, filter, { orderBy: { id: 'asc' }, lockMode });
  const ending = sessions.filter(({ id }) => id !== except);
  for (const session of ending) session.endedAt = now;
  await em.flush();
  return ending.map(({ id }) => id);
}
