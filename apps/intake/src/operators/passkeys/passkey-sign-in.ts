import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { passkeyAssertion } from '@rubrica/contracts/operators/passkeys';
import { ifIntact } from '@rubrica/database';
import { AppError, KeyringError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { z } from 'zod';
import type { IntakeDeps } from '../../context.ts';
import { type OperatorFactor, OperatorFactorEntity } from '../factors/factor.entity.ts';
import { noteSignIn } from '../note-sign-in.ts';
import { OperatorEntity } from '../operator.entity.ts';
import {
  type CameFrom,
  openSession,
  type SessionDeps,
  type SessionTokens,
} from '../sessions/open-session.ts';
import { sealSession } from '../sessions/seal-session.ts';
import { challengeIn, challengeLifeMs, newChallenge, useChallenge } from './challenges.ts';
import { userHandleOf } from './user-handle.ts';
import { webAuthn } from './web-authn.ts';

type Assertion = z.output<typeof passkeyAssertion>;
type Needs = SessionDeps & Pick<IntakeDeps, 'database' | 'relyingParty'>;

/** What any passkey of this place may sign; nothing tells whether an account is there. */
export function createPasskeyOptions({
  database,
  clock,
  relyingParty: { rpId },
}: Pick<Needs, 'database' | 'clock' | 'relyingParty'>): UseCase<'intake', 'tokens.passkeyOptions'> {
  return async () => ({
    challenge: await newChallenge(database, null, clock()),
    rpId,
    timeoutMs: challengeLifeMs,
  });
}

/**
 * A session for what a passkey has signed. No slow-down: what is signed cannot be guessed.
 * @throws AppError UNAUTHENTICATED, without saying what was wrong
 */
export function createPasskeySignIn(deps: Needs): UseCase<'intake', 'tokens.passkeySignIn'> {
  return async ({ sealedResponse, address, userAgent }, { peer }) => {
    const assertion = await openAssertion(sealedResponse, peer, deps);
    const challenge = challengeIn(assertion.response.clientDataJSON);
    if (!(await useChallenge(deps.database, { challenge, operatorId: null }, deps.clock()))) throw refused();
    const from = { address, userAgent };
    const tokens = await deps.database.transaction((em) => signIn(em, { assertion, challenge, from }, deps));
    if (tokens === undefined) throw refused();
    return sealSession(tokens, { peer, sealedProof: sealedResponse }, deps);
  };
}

async function openAssertion(sealed: string, owner: string, { keyring }: Needs): Promise<Assertion> {
  try {
    const text = await keyring.openText(sealed, { purpose: 'passkey-response', owner });
    const read = passkeyAssertion.safeParse(JSON.parse(text));
    if (read.success) return read.data;
  } catch (cause) {
    if (!(cause instanceof KeyringError) && !(cause instanceof SyntaxError)) throw cause;
  }
  throw refused();
}

interface Shown {
  readonly assertion: Assertion;
  readonly challenge: string;
  readonly from: CameFrom;
}

/** @returns undefined where it is refused; what was written down of it is committed */
async function signIn(em: EntityManager, shown: Shown, deps: Needs): Promise<SessionTokens | undefined> {
  const { assertion, from } = shown;
  const enrolled = { kind: 'passkey', credentialId: assertion.id, confirmedAt: { $ne: null } } as const;
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const passkey = await ifIntact(em.findOne(OperatorFactorEntity, enrolled, { lockMode }));
  if (!passkey) return undefined;
  const standing = { id: passkey.operatorId, enabled: true };
  const operator = await ifIntact(em.findOne(OperatorEntity, standing));
  if (!operator) return undefined;
  const counter = await counterOf(passkey, shown, deps);
  if (counter === undefined) {
    const details = { factor: 'passkey', factorId: passkey.id };
    await noteSignIn(em, operator, { action: 'auth.signInRefused', details });
    return undefined;
  }
  passkey.counter = counter;
  passkey.lastUsedAt = deps.clock();
  const details = { method: 'passkey', factorId: passkey.id };
  await noteSignIn(em, operator, { action: 'auth.signIn', details });
  return openSession(em, { operator, method: 'passkey', from }, deps);
}

/** @returns the authenticator's counter; undefined where the signature, its origin or the counter is not as it must be */
async function counterOf(
  { operatorId, credentialId, publicKey, counter }: OperatorFactor,
  { assertion, challenge }: Shown,
  { relyingParty }: Needs,
): Promise<number | undefined> {
  const { userHandle } = assertion.response;
  if (userHandle != null && userHandle !== userHandleOf(operatorId)) return undefined;
  try {
    const { verifyAuthenticationResponse } = await webAuthn();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} } as never,
      expectedChallenge: challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: relyingParty.rpId,
      credential: {
        id: credentialId ?? '',
        publicKey: new Uint8Array(Buffer.from(publicKey ?? '', 'base64url')),
        counter,
      },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    // It says by an error what is wrong with an answer; nobody outside is told.
    return undefined;
  }
}

function refused(): AppError {
  const publicMessage = 'The passkey did not open the door: try again, or sign in another way';
  return new AppError({ code: 'UNAUTHENTICATED', publicMessage });
}
