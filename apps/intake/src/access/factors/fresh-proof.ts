import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { ifIntact } from '@rubrica/database';
import { AppError, type OperatorCaller } from '@rubrica/process';
import { OperatorEntity } from '../operators/operator.entity.ts';
import { type OwnPasswordDeps, provePassword } from '../passwords/own-password.ts';
import { openedAt } from '../sessions/opened-at.ts';

const freshMs = 10 * MINUTE_MS;

/**
 * Before what an operator signs in by is changed: who finds a session open, or steals one, must not make it theirs for
 * good. The present password is asked for always, however young the session and also where it may only enrol. An operator
 * of the organisation's provider has none: a sign-in there within ten minutes is the proof, and no factor enrolled by it
 * opens a session.
 * @param sealedPassword the present one, where it was given
 * @throws AppError FRESH_PROOF_NEEDED, FORBIDDEN for a wrong password, RATE_LIMITED
 */
export async function assertFresh(
  caller: OperatorCaller,
  sealedPassword: string | undefined,
  deps: OwnPasswordDeps,
): Promise<void> {
  if (sealedPassword !== undefined) {
    await provePassword(sealedPassword, caller, deps);
    return;
  }
  const { session, operatorId } = caller;
  const isYoung = session !== undefined && deps.clock().getTime() - openedAt(session.id) <= freshMs;
  if (isYoung && !(await hasPassword(operatorId, deps))) return;
  throw new AppError({ code: 'FRESH_PROOF_NEEDED' });
}

/** An account that is not as this service wrote it is taken for one that has a password: nobody proves to be it. */
async function hasPassword(id: string, { database }: Pick<OwnPasswordDeps, 'database'>): Promise<boolean> {
  const operator = await ifIntact(database.fork().findOne(OperatorEntity, { id }));
  return operator === null || operator.passwordHash !== null;
}
