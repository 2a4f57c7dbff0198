import type { EntityManager } from '@mikro-orm/postgresql';
import { LockMode } from '@mikro-orm/postgresql';
import { OperatorSessionEntity } from './session.entity.ts';

interface Which {
  readonly operatorId: string;
  /** That one alone. */
  readonly sessionId?: string | undefined;
  /** All but this one. */
  readonly except?: string | undefined;
}

/**
 * Ends sessions of an operator, in the caller's transaction; the caller writes the audit. Every copy refuses their tokens
 * within 3 s; the one that forgets them in its directory, at once.
 * @returns the ids of those that were open
 */
export async function endSessions(
  em: EntityManager,
  { operatorId, sessionId, except }: Which,
  now: Date,
): Promise<string[]> {
  const open = { operatorId, endedAt: null, expiresAt: { $gt: now } };
  const named = sessionId === undefined ? open : { ...open, id: sessionId };
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const sessions = await em.find(OperatorSessionEntity, named, { orderBy: { id: 'asc' }, lockMode });
  const ending = sessions.filter(({ id }) => id !== except);
  for (const session of ending) session.endedAt = now;
  await em.flush();
  return ending.map(({ id }) => id);
}
