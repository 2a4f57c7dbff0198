import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { AccessDeps } from '../deps.ts';
import { type CountedCode, lockTally, writeTally } from './code-tries/count-code.ts';
import { forgiveTry } from './code-tries/judge-tally.ts';
import { type OperatorFactor, OperatorFactorEntity } from './factor.entity.ts';
import type { VerifiedFactor } from './factor-marks.ts';
import { useRecoveryCode } from './recovery-codes.ts';
import { findStep } from './totp.ts';

type UseCodeDeps = Pick<AccessDeps, 'keyring' | 'clock'>;

/**
 * Compares a code with the current one of an operator, or with the recovery codes. A right code is used up in
 * the caller's transaction, which also removes it from the count.
 * @param factors returned by `assertFactorsIntact`: the counted app must be one of them
 */
export async function useCode(
  em: EntityManager,
  { counted, factors }: { readonly counted: CountedCode; readonly factors: readonly VerifiedFactor[] },
  deps: UseCodeDeps,
): Promise<boolean> {
  const { operatorId, entered, tried } = counted;
  const app = factors.find(({ kind }) => kind === 'totp');
  if (app === undefined) return false;
  if (counted.isRecoveryCode)
    return useRecoveryCode(em, { operatorId, appId: app.id, code: entered, now: deps.clock() });
  if (app.id !== tried?.factorId) return false;
  const enrolled = { id: app.id, operatorId, confirmedAt: { $ne: null } } as const;
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const factor = await em.findOne(OperatorFactorEntity, enrolled, { lockMode, refresh: true });
  if (!factor || !(await useTotpCode(factor, entered, deps))) return false;
  const row = await lockTally(em, factor.id);
  if (row) writeTally(row, forgiveTry(row, tried.at));
  return true;
}

/** Verifies a code and uses it up, in a row that the caller has locked. */
export async function useTotpCode(
  factor: OperatorFactor,
  code: string,
  { keyring, clock }: UseCodeDeps,
): Promise<boolean> {
  const binding = { purpose: 'totp-secret', owner: factor.id } as const;
  const secret = await keyring.open(factor.sealedSecret ?? '', binding);
  const now = clock();
  const step = findStep(secret, code, { now, after: factor.lastStep });
  if (step === undefined) return false;
  factor.lastStep = step;
  factor.lastUsedAt = now;
  return true;
}
