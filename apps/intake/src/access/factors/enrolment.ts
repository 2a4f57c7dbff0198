import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { findIntact } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import type { OperatorCaller } from '@rubrica/process/trpc';
import { OperatorEntity } from '../operators/operator.entity.ts';
import { OperatorSessionEntity } from '../sessions/session.entity.ts';
import { sessionEnded } from '../sessions/session-directory.ts';
import { OperatorFactorEntity } from './factor.entity.ts';

const maxFactors = 10;

/** @throws AppError REQUEST_STATE_NOT_ALLOWED */
export async function assertFactorSlot(em: EntityManager, operatorId: string): Promise<void> {
  const enrolled = { operatorId, confirmedAt: { $ne: null } };
  if ((await em.count(OperatorFactorEntity, enrolled)) < maxFactors) return;
  const text = createText('operator.factorsTooMany', { count: maxFactors });
  throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', text });
}

/**
 * Widens the session of an operator who has enrolled a factor, and has thereby shown it: the enrolment
 * session becomes a full one. Other enrolment sessions end, because a password alone opened them and no
 * longer suffices. The caller has locked the operator.
 * @throws AppError UNAUTHENTICATED for a session that has ended in between
 */
export async function promoteSession(
  em: EntityManager,
  { operatorId, session }: Pick<OperatorCaller, 'operatorId' | 'session'>,
  now: Date,
): Promise<void> {
  const enrolling = { operatorId, scope: 'enrolment', endedAt: null } as const;
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true, orderBy: { id: 'asc' } } as const;
  const sessions = await findIntact(em, OperatorSessionEntity, enrolling, options);
  const isEnrolling = session?.scope === 'enrolment';
  if (isEnrolling && !sessions.some(({ id }) => id === session.id)) throw sessionEnded();
  for (const each of sessions)
    if (each.id === session?.id) each.scope = 'full';
    else each.endedAt = now;
}

/**
 * Locks an operator. Of two concurrent enrolments the second sees the first, and a sign-in by password waits
 * for both.
 */
export async function lockOperator(em: EntityManager, id: string): Promise<void> {
  await em.findOneOrFail(OperatorEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}
