import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { AppError, type OperatorCaller } from '@rubrica/process';
import { openedAt } from '../sessions/opened-at.ts';
import { type OwnPasswordDeps, provePassword } from './own-password.ts';

const freshMs = 10 * MINUTE_MS;

/**
 * Before what an operator signs in by is changed: who finds a session open, or steals one, must not make it his for good.
 * A session that may do nothing but enrol was opened for just that.
 * @param sealedPassword the present one, where it was given
 * @throws AppError FRESH_PROOF_NEEDED, FORBIDDEN for a wrong password, RATE_LIMITED
 */
export async function assertFresh(
  caller: OperatorCaller,
  sealedPassword: string | undefined,
  deps: OwnPasswordDeps,
): Promise<void> {
  const { session } = caller;
  if (session?.scope === 'enrolment') return;
  if (sealedPassword !== undefined) {
    await provePassword(sealedPassword, caller, deps);
    return;
  }
  if (session !== undefined && deps.clock().getTime() - openedAt(session.id) <= freshMs) return;
  throw new AppError({ code: 'FRESH_PROOF_NEEDED' });
}
