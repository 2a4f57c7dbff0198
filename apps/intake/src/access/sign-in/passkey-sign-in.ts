import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { ifIntact } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import { unlockCodes } from '../factors/code-tries/unlock-codes.ts';
import { OperatorFactorEntity } from '../factors/factor.entity.ts';
import { assertFactorsIntact, markFirst } from '../factors/factor-marks.ts';
import { OperatorEntity } from '../operators/operator.entity.ts';
import { challengeLifeMs, newChallenge, readChallenge, useChallenge } from '../passkeys/challenges.ts';
import { type Assertion, openAssertion, verifyAssertion } from '../passkeys/judge-assertion.ts';
import type { PasskeyDeps } from '../passkeys/passkey-settings.ts';
import {
  openSession,
  type SessionDeps,
  type SessionOrigin,
  type SessionTokens,
} from '../sessions/open-session.ts';
import { sealSession } from '../sessions/seal-session.ts';
import { noteSignIn } from './note-sign-in.ts';

type PasskeySignInDeps = SessionDeps & Pick<AccessDeps, 'database' | 'rows'> & PasskeyDeps;

/**
 * Creates a challenge for any passkey of this relying party; the answer does not reveal whether an account
 * exists.
 */
export function createPasskeyOptions(
  deps: Pick<PasskeySignInDeps, 'database' | 'rows' | 'clock' | 'relyingParty'>,
): UseCase<'intake', 'tokens.passkeyOptions'> {
  return async () => ({
    challenge: await newChallenge(null, deps),
    rpId: deps.relyingParty.rpId,
    timeoutMs: challengeLifeMs,
  });
}

/**
 * Opens a session for a passkey's signature. There is no slow-down, because a signature cannot be guessed.
 * @throws AppError UNAUTHENTICATED, without saying what was wrong; FORBIDDEN for a right signature if a
 *   factor was deleted in the database
 */
export function createPasskeySignIn(deps: PasskeySignInDeps): UseCase<'intake', 'tokens.passkeySignIn'> {
  return async ({ sealedResponse, address, userAgent }, { peer }) => {
    const binding = { purpose: 'passkey-response', owner: peer } as const;
    const assertion = await openAssertion(sealedResponse, binding, deps);
    if (assertion === undefined) throw refused();
    const challenge = readChallenge(assertion.response.clientDataJSON);
    if (!(await useChallenge({ challenge, operatorId: null }, deps))) throw refused();
    const from = { address, userAgent };
    const tokens = await deps.database.transaction((em) => signIn(em, { assertion, challenge, from }, deps));
    if (tokens === undefined) throw refused();
    return sealSession(tokens, { peer, sealedProof: sealedResponse }, deps);
  };
}

interface SignedChallenge {
  readonly assertion: Assertion;
  readonly challenge: string;
  readonly from: SessionOrigin;
}

/** @returns undefined if it is refused; its audit entry is committed */
async function signIn(
  em: EntityManager,
  signed: SignedChallenge,
  deps: PasskeySignInDeps,
): Promise<SessionTokens | undefined> {
  const { assertion, from } = signed;
  const enrolled = { kind: 'passkey', credentialId: assertion.id, confirmedAt: { $ne: null } } as const;
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const named = await ifIntact(em.findOne(OperatorFactorEntity, enrolled));
  if (!named) return undefined;
  // Locked first, as a sign-in by password does: neither waits for the other.
  const enabled = { id: named.operatorId, enabled: true };
  const operator = await ifIntact(em.findOne(OperatorEntity, enabled, { lockMode }));
  const passkey = await ifIntact(em.findOne(OperatorFactorEntity, enrolled, { lockMode, refresh: true }));
  if (!operator || passkey?.operatorId !== operator.id) return undefined;
  const counter = await verifyAssertion(passkey, signed, deps);
  if (counter === undefined) {
    const details = { factor: 'passkey', factorId: passkey.id };
    await noteSignIn(em, operator, { action: 'auth.signInRefused', details });
    return undefined;
  }
  const factors = await assertFactorsIntact(em, operator.id, deps);
  if (!factors.some(({ id }) => id === passkey.id)) return undefined;
  passkey.counter = counter;
  passkey.lastUsedAt = deps.clock();
  await unlockCodes(em, { operator, factors }, 'passkey');
  await markFirst(em, { operatorId: operator.id, factors }, deps);
  const details = { method: 'passkey', factorId: passkey.id };
  await noteSignIn(em, operator, { action: 'auth.signIn', details });
  return openSession(em, { operator, method: 'passkey', from }, deps);
}

function refused(): AppError {
  const text = createText('operator.passkeySignInFailed');
  return new AppError({ code: 'UNAUTHENTICATED', text });
}
