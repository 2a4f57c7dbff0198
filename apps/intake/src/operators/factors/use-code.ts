import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { IntakeDeps } from '../../context.ts';
import { type OperatorFactor, OperatorFactorEntity } from './factor.entity.ts';
import { useRecoveryCode } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';

type Needs = Pick<IntakeDeps, 'keyring' | 'clock'>;

/**
 * Whether a code is one of the moment, or a recovery code, of an operator; it is used up by it, with the caller's
 * transaction.
 */
export async function useCode(
  em: EntityManager,
  { operatorId, code }: { readonly operatorId: string; readonly code: string },
  deps: Needs,
): Promise<boolean> {
  const entered = code.replaceAll(/[\s-]/g, '').toUpperCase();
  if (!/^\d{6}$/.test(entered)) return useRecoveryCode(em, { operatorId, code: entered, now: deps.clock() });
  const enrolled = { operatorId, kind: 'totp', confirmedAt: { $ne: null } } as const;
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const factors = await em.find(OperatorFactorEntity, enrolled, { lockMode, refresh: true });
  for (const factor of factors) if (await takesCode(factor, entered, deps)) return true;
  return false;
}

/** Of a row that the caller has locked. */
export async function takesCode(
  factor: OperatorFactor,
  code: string,
  { keyring, clock }: Needs,
): Promise<boolean> {
  const binding = { purpose: 'totp-secret', owner: factor.id } as const;
  const secret = await keyring.open(factor.sealedSecret ?? '', binding);
  const now = clock();
  const step = stepOfCode(secret, code, { now, after: factor.lastStep });
  if (step === undefined) return false;
  factor.lastStep = step;
  factor.lastUsedAt = now;
  return true;
}
