import type { Database } from '@rubrica/database/connection';
import { AppError } from '@rubrica/process/errors';
import type { Clock } from '@rubrica/process/time';
import { LRUCache } from 'lru-cache';
import { type Operator, OperatorEntity } from './operator.entity.ts';

/** Cache of operators by id, for a few seconds: every copy sees that a right has ended within `ttlMs`. */
export interface OperatorDirectory {
  /** @throws AppError UNAUTHENTICATED for an unknown or disabled operator */
  get(operatorId: string): Promise<Pick<Operator, 'role' | 'gen'>>;
  forget(operatorId: string): void;
}

export interface OperatorDeps {
  readonly operators: OperatorDirectory;
}

export function createOperatorDirectory(options: {
  database: Pick<Database, 'fork'>;
  clock: Clock;
  ttlMs: number;
}): OperatorDirectory {
  const { database, clock, ttlMs } = options;
  const known = new LRUCache<string, Operator>({
    max: 1_000,
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  });
  return {
    async get(operatorId) {
      const hit = known.get(operatorId);
      if (hit !== undefined) return hit;
      const operator = await database.fork().findOne(OperatorEntity, { id: operatorId, enabled: true });
      if (!operator) throw new AppError({ code: 'UNAUTHENTICATED' });
      known.set(operatorId, operator);
      return operator;
    },
    forget: (operatorId) => void known.delete(operatorId),
  };
}
