import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { ifIntact } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import type { AccessDeps } from '../deps.ts';
import { chooseDueFactor } from '../factors/choose-due-factor.ts';
import type { CountedCode } from '../factors/code-tries/count-code.ts';
import { noteWrongCode } from '../factors/code-tries/note-wrong-code.ts';
import { unlockCodes } from '../factors/code-tries/unlock-codes.ts';
import { assertFactorsIntact, markFirst } from '../factors/factor-marks.ts';
import { useCode } from '../factors/use-code.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import {
  openSession,
  type SessionDeps,
  type SessionOrigin,
  type SessionTokens,
} from '../sessions/open-session.ts';
import { noteSignIn } from './note-sign-in.ts';

export type AfterPasswordDeps = SessionDeps & Pick<AccessDeps, 'sandbox' | 'rows'>;

interface VerifiedPassword {
  readonly operator: Operator;
  readonly code: CountedCode | undefined;
  readonly from: SessionOrigin;
}

interface Challenge {
  readonly challenge: 'code' | 'passkey';
}

/**
 * Continues after the right password: opens a session or one that may only enrol a second factor, or asks for
 * that factor. It audits the outcome; a wrong code is a value, so that its row is committed.
 * @throws AppError UNAUTHENTICATED for an account that changed while its password was verified, FORBIDDEN if
 *   a factor was deleted in the database
 */
export async function openAfterPassword(
  em: EntityManager,
  { operator: matched, code, from }: VerifiedPassword,
  deps: AfterPasswordDeps,
): Promise<SessionTokens | Challenge | 'wrongCode'> {
  const operator = await lockMatched(em, matched);
  const factors = await assertFactorsIntact(em, operator.id, deps);
  const kinds = new Set(factors.map(({ kind }) => kind));
  const due = chooseDueFactor({ kinds, passwordIsEnough: deps.sandbox });
  if (due === 'passkey' || (due === 'code' && code === undefined)) return { challenge: due };
  if (due === 'code' && !(await useCode(em, { counted: code as CountedCode, factors }, deps))) {
    await noteSignIn(em, operator, { action: 'auth.signInRefused', details: { factor: 'code' } });
    await noteWrongCode(em, { operator, tried: code?.tried }, deps);
    return 'wrongCode';
  }
  if (code?.isRecoveryCode) await unlockCodes(em, { operator, factors }, 'recoveryCode');
  if (due === 'code') await markFirst(em, { operatorId: operator.id, factors }, deps);
  const method = due === 'code' ? 'totp' : 'password';
  const scope = due === 'enrolment' ? 'enrolment' : 'full';
  await noteSignIn(em, operator, { action: 'auth.signIn', details: { method, scope } });
  return openSession(em, { operator, method, scope, from }, deps);
}

/**
 * Locks the account whose password matched. A concurrent enrolment waits or is seen: no session without the
 * new factor begins next to it.
 */
async function lockMatched(
  em: EntityManager,
  { id, passwordHash }: Pick<Operator, 'id' | 'passwordHash'>,
): Promise<Operator> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const operator = await ifIntact(em.findOne(OperatorEntity, { id, passwordHash, enabled: true }, lock));
  if (operator) return operator;
  const text = createText('operator.accountChanged');
  throw new AppError({ code: 'UNAUTHENTICATED', text });
}
