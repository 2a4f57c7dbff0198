import type { EntityManager } from '@mikro-orm/postgresql';
import { ifIntact } from '@rubrica/database';
import type { Operator } from '../../operator.entity.ts';
import { OperatorFactorEntity } from '../factor.entity.ts';
import { lockTally, writeTally } from './count-code.ts';
import { unlockTally } from './judge-tally.ts';
import { noteLock } from './note-wrong-code.ts';

/** Lets one-time codes be compared again: the operator has shown a factor that nobody can guess. */
export async function unlockCodes(
  em: EntityManager,
  operator: Pick<Operator, 'id' | 'email'>,
  method: 'passkey' | 'recoveryCode',
): Promise<void> {
  const enrolled = { operatorId: operator.id, kind: 'totp', confirmedAt: { $ne: null } } as const;
  const factor = await ifIntact(em.findOne(OperatorFactorEntity, enrolled));
  const row = factor && (await lockTally(em, factor.id));
  if (!row || row.inRow === 0) return;
  const wasLocked = row.lockedAt !== null;
  writeTally(row, unlockTally(row));
  if (wasLocked) await noteLock(em, operator, { action: 'auth.unlockCodes', details: { method } });
}
