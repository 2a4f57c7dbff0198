import type { EntityManager } from '@mikro-orm/postgresql';
import type { operatorSession } from '@rubrica/contracts/operators/sessions';
import type { z } from 'zod';
import type { Operator } from '../operators/operator.entity.ts';
import { OperatorSessionEntity } from './session.entity.ts';

/** Lists the open sessions of an operator, newest first, as they are shown. */
export async function listOpenSessions(
  em: EntityManager,
  { id: operatorId, gen }: Pick<Operator, 'id' | 'gen'>,
  now: Date,
): Promise<z.input<typeof operatorSession>[]> {
  const open = { operatorId, gen, endedAt: null, expiresAt: { $gt: now } };
  const sessions = await em.find(OperatorSessionEntity, open, { orderBy: { createdAt: 'desc', id: 'desc' } });
  return sessions.map(({ id, method, scope, createdAt, lastUsedAt, expiresAt, address, userAgent }) => ({
    sessionId: id,
    method,
    scope,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    address,
    userAgent,
  }));
}
