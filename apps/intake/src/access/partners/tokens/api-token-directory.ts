import type { Database } from '@rubrica/database/connection';
import { AppError } from '@rubrica/process/errors';
import type { Clock } from '@rubrica/process/time';
import { LRUCache } from 'lru-cache';
import { type ApiToken, ApiTokenEntity } from '../partner.entity.ts';

/** Cache of API tokens by id, for a few seconds: every copy refuses a revoked token within `ttlMs`. */
export interface ApiTokenDirectory {
  /** @throws AppError UNAUTHENTICATED for an unknown or revoked token */
  get(tokenId: string): Promise<Pick<ApiToken, 'id'>>;
  forget(tokenId: string): void;
}

export function createApiTokenDirectory(options: {
  database: Pick<Database, 'fork'>;
  clock: Clock;
  ttlMs: number;
}): ApiTokenDirectory {
  const { database, clock, ttlMs } = options;
  const known = new LRUCache<string, ApiToken>({
    max: 5_000,
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  });
  return {
    async get(tokenId) {
      const hit = known.get(tokenId);
      if (hit !== undefined) return hit;
      const token = await database.fork().findOne(ApiTokenEntity, { id: tokenId, revokedAt: null });
      if (!token) throw new AppError({ code: 'UNAUTHENTICATED' });
      known.set(tokenId, token);
      return token;
    },
    forget: (tokenId) => void known.delete(tokenId),
  };
}
