import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Database } from '@rubrica/database/connection';
import { AppError } from '@rubrica/process/errors';
import type { Clock } from '@rubrica/process/time';
import { LRUCache } from 'lru-cache';
import { type OperatorSession, OperatorSessionEntity } from './session.entity.ts';

/**
 * Cache of operators' sessions by id, for a few seconds: every copy refuses an ended session within `ttlMs`.
 */
export interface SessionDirectory {
  /** @throws AppError UNAUTHENTICATED for an unknown or ended session */
  get(sessionId: string): Promise<Pick<OperatorSession, 'id' | 'operatorId' | 'scope'>>;
  forget(sessionId: string): void;
}

export interface SessionDirectoryDeps {
  readonly sessions: SessionDirectory;
}

export function createSessionDirectory(options: {
  database: Pick<Database, 'fork'>;
  clock: Clock;
  ttlMs: number;
}): SessionDirectory {
  const { database, clock, ttlMs } = options;
  const known = new LRUCache<string, OperatorSession>({
    max: 1_000,
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
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
    forget: (sessionId) => void known.delete(sessionId),
  };
}

export function sessionEnded(cause?: unknown): AppError {
  const text = createText('operator.sessionEnded');
  return new AppError({ code: 'UNAUTHENTICATED', text, cause });
}
