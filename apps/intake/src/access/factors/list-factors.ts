import type { EntityManager } from '@mikro-orm/postgresql';
import type { operatorFactor } from '@rubrica/contracts/operators/factors';
import type { z } from 'zod';
import { OperatorFactorEntity, OperatorRecoveryCodeEntity } from './factor.entity.ts';

/** Lists the enrolled factors of an operator, as shown to their owner. */
export async function listFactors(
  em: EntityManager,
  operatorId: string,
): Promise<{ factors: z.input<typeof operatorFactor>[]; recoveryCodesLeft: number }> {
  const enrolled = { operatorId, confirmedAt: { $ne: null } };
  const factors = await em.find(OperatorFactorEntity, enrolled, { orderBy: { createdAt: 'asc' } });
  const recoveryCodesLeft = await em.count(OperatorRecoveryCodeEntity, { operatorId, usedAt: null });
  return {
    recoveryCodesLeft,
    factors: factors.map(({ id, kind, name, createdAt, lastUsedAt }) => ({
      factorId: id,
      kind,
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
  };
}
