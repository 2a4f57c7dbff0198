import type { Database } from '@rubrica/database';
import { AppError, type Clock, createLruCache } from '@rubrica/process';
import { type OperatorSession, OperatorSessionEntity } from './session.entity.ts';

/** Operators' sessions by id, remembered for a few seconds: one that ended is refused by every copy within `ttlMs`. */
export interface SessionDirectory {
  /** @throws AppError UNAUTHENTICATED for one that is unknown or has ended */
  get(sessionId: string): Promise<Pick<OperatorSession, 'id' | 'operatorId' | 'scope'>>;
  forget(sessionId: string): void;
}

export function createSessionDirectory(options: {
  database: Pick<Database, 'fork'>;
  clock: Clock;
  ttlMs: number;
}): SessionDirectory {
  const { database, clock, ttlMs } = options;
  const known = createLruCache<string, OperatorSession>({
    max: 1_000,
    ttlMs,
    nowMs: () => clock().getTime(),
  });
  return {
    async get(sessionId) {
      const hit = known.get(sessionId);
      const session =
        hit ?? (await database.fork().findOne(OperatorSessionEntity, { id: sessionId, endedAt: null }));
      if (!session || session.expiresAt <= clock()) throw sessionEnded();
      if (hit === undefined) known.set(sessionId, session);
      return session;
    },
    forget: known.delete,
  };
}

export function sessionEnded(cause?: unknown): AppError {
  const publicMessage = 'The session has ended: sign in again';
  return new AppError({ code: 'UNAUTHENTICATED', publicMessage, cause });
}
