import type { EntityManager } from '@mikro-orm/postgresql';
import type { Operator } from '../../operators/operator.entity.ts';
import type { VerifiedFactor } from '../factor-marks.ts';
import { lockTally, writeTally } from './count-code.ts';
import { unlockTally } from './judge-tally.ts';
import { noteLock } from './note-wrong-code.ts';

/**
 * Lets one-time codes be compared again: the operator has shown a factor that nobody can guess.
 * @param factors returned by `assertFactorsIntact`
 */
export async function unlockCodes(
  em: EntityManager,
  {
    operator,
    factors,
  }: { readonly operator: Pick<Operator, 'id' | 'email'>; readonly factors: readonly VerifiedFactor[] },
  method: 'passkey' | 'recoveryCode',
): Promise<void> {
  const factor = factors.find(({ kind }) => kind === 'totp');
  const row = factor && (await lockTally(em, factor.id));
  if (!row || row.inRow === 0) return;
  const wasLocked = row.lockedAt !== null;
  writeTally(row, unlockTally(row));
  if (wasLocked) await noteLock(em, operator, { action: 'auth.unlockCodes', details: { method } });
}
