import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAudit } from '@rubrica/audit/log';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { RowGuard } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import type { PasswordDeps } from '../passwords/password-hashes.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import type { SessionDirectoryDeps } from '../sessions/session-directory.ts';
import { lockOperator } from './enrolment.ts';
import { OperatorFactorEntity, OperatorRecoveryCodeEntity } from './factor.entity.ts';
import { assertFactorsIntact, emptyMark, markFactors, type VerifiedFactor } from './factor-marks.ts';
import { assertFreshProof } from './fresh-proof.ts';

type RemoveFactorDeps = Pick<AccessDeps, 'database' | 'rows' | 'clock' | 'keyring' | 'sandbox'> &
  SessionDirectoryDeps &
  PasswordDeps;

/**
 * Removes one of the caller's own factors and ends the other sessions. The last factor stays where sign-in
 * needs one.
 * @throws AppError FRESH_PROOF_NEEDED, REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED
 */
export function createRemoveFactor(deps: RemoveFactorDeps): OperatorUseCase<'auth.removeFactor'> {
  return async ({ factorId, currentPassword, reason }, { caller }) => {
    await assertFreshProof(caller, currentPassword, deps);
    const { operatorId, email, session } = caller;
    const ended = await deps.database.transaction(async (em) => {
      // Locked first, as a sign-in does: of the last two factors, one stays.
      await lockOperator(em, operatorId);
      const factors = await assertFactorsIntact(em, operatorId, deps);
      const factor = findRemovable(factors, factorId, deps);
      await em.nativeDelete(OperatorFactorEntity, { id: factorId, operatorId });
      if (factor.kind === 'totp') await em.nativeDelete(OperatorRecoveryCodeEntity, { operatorId });
      await markFactors(
        em,
        operatorId,
        factors.filter(({ id }) => id !== factorId),
      );
      const ids = await endSessions(em, { operatorId, except: session?.id }, deps.clock());
      const details = { factorId, sessions: ids };
      const target = `operator:${operatorId}`;
      await recordAudit(em, {
        actor: `operator:${email}`,
        action: 'auth.removeFactor',
        target,
        reason,
        details,
      });
      return ids;
    });
    for (const id of ended) deps.sessions.forget(id);
    return { factorId, ended: ended.length };
  };
}

function findRemovable(
  factors: readonly VerifiedFactor[],
  factorId: string,
  { sandbox }: Pick<RemoveFactorDeps, 'sandbox'>,
): VerifiedFactor {
  const factor = factors.find(({ id }) => id === factorId);
  if (!factor) {
    const text = createText('operator.factorNotFound');
    throw new AppError({ code: 'REQUEST_NOT_FOUND', text });
  }
  if (factors.length === 1 && !sandbox) {
    const text = createText('operator.onlyFactor');
    throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', text });
  }
  return factor;
}

/** Removes all factors of an operator, and the codes in their place; the caller ends the sessions. */
export async function removeFactors(
  em: EntityManager,
  operatorId: string,
  deps: { readonly rows: Pick<RowGuard, 'protect'> },
): Promise<void> {
  await em.nativeDelete(OperatorRecoveryCodeEntity, { operatorId });
  await em.nativeDelete(OperatorFactorEntity, { operatorId });
  await emptyMark(em, operatorId, deps);
}
