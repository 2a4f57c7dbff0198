import type { Database } from '@rubrica/database';
import { AppError, type Clock, createLruCache } from '@rubrica/process';
import { type ApiToken, ApiTokenEntity } from '../partner.entity.ts';

/** API tokens by id, remembered for a few seconds: one that is revoked is refused by every copy within `ttlMs`. */
export interface ApiTokenDirectory {
  /** @throws AppError UNAUTHENTICATED for one that is unknown or revoked */
  get(tokenId: string): Promise<Pick<ApiToken, 'id'>>;
  forget(tokenId: string): void;
}

export function createApiTokenDirectory(options: {
  database: Pick<Database, 'fork'>;
  clock: Clock;
  ttlMs: number;
}): ApiTokenDirectory {
  const { database, clock, ttlMs } = options;
  const known = createLruCache<string, ApiToken>({ max: 5_000, ttlMs, nowMs: () => clock().getTime() });
  return {
    async get(tokenId) {
      const hit = known.get(tokenId);
      if (hit !== undefined) return hit;
      const token = await database.fork().findOne(ApiTokenEntity, { id: tokenId, revokedAt: null });
      if (!token) throw new AppError({ code: 'UNAUTHENTICATED' });
      known.set(tokenId, token);
      return token;
    },
    forget: known.delete,
  };
}
