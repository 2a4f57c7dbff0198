import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { AppError } from '@rubrica/process';
import { OperatorSessionEntity } from '../sessions/session.entity.ts';
import { OperatorFactorEntity } from './factor.entity.ts';

const mostFactors = 10;

/** @throws AppError REQUEST_STATE_NOT_ALLOWED */
export async function assertRoom(em: EntityManager, operatorId: string): Promise<void> {
  const enrolled = { operatorId, confirmedAt: { $ne: null } };
  if ((await em.count(OperatorFactorEntity, enrolled)) < mostFactors) return;
  const publicMessage = `There are ${mostFactors} factors already: remove one first`;
  throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', publicMessage });
}

/** Who has enrolled a factor has shown it: the session that could do nothing else may do what others may. */
export async function becomeFull(em: EntityManager, sessionId: string | undefined): Promise<void> {
  if (sessionId === undefined) return;
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const session = await em.findOneOrFail(OperatorSessionEntity, { id: sessionId }, { lockMode });
  if (session.scope === 'enrolment') session.scope = 'full';
}
