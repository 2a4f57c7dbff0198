import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { ifIntact } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import type { OperatorCaller } from '@rubrica/process/trpc';
import { OperatorEntity } from '../operators/operator.entity.ts';
import { type OwnPasswordDeps, provePassword } from '../passwords/own-password.ts';
import { readOpenedAt } from '../sessions/opened-at.ts';

const freshMs = 10 * MINUTE_MS;

/**
 * Requires fresh proof before an operator's means of signing in change. A session that was found open or
 * stolen must not be taken over for good. The current password is always asked for, however young the session
 * and also if it may only enrol. An operator of the organisation's provider has none. There a sign-in within
 * ten minutes is the proof, and no factor enrolled by it opens a session.
 * @param sealedPassword current password, if it was given
 * @throws AppError FRESH_PROOF_NEEDED, FORBIDDEN for a wrong password, RATE_LIMITED
 */
export async function assertFreshProof(
  caller: OperatorCaller,
  sealedPassword: string | undefined,
  deps: OwnPasswordDeps,
): Promise<void> {
  if (sealedPassword !== undefined) {
    await provePassword(sealedPassword, caller, deps);
    return;
  }
  const { session, operatorId } = caller;
  const isYoung = session !== undefined && deps.clock().getTime() - readOpenedAt(session.id) <= freshMs;
  if (isYoung && !(await hasPassword(operatorId, deps))) return;
  throw new AppError({ code: 'FRESH_PROOF_NEEDED' });
}

/**
 * Returns whether an account has a password. An account that this service did not write counts as having one:
 * nobody can prove to own it.
 */
async function hasPassword(id: string, { database }: Pick<OwnPasswordDeps, 'database'>): Promise<boolean> {
  const operator = await ifIntact(database.fork().findOne(OperatorEntity, { id }));
  return operator === null || operator.passwordHash !== null;
}
