import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { approvalGrantLifeMs, approvalGrantType } from '@rubrica/contracts/services/schemas/approval-grants';
import { ifIntact } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { Administrators } from '@rubrica/wiring/approvals';
import type { AccessDeps } from '../deps.ts';
import { OperatorFactorEntity } from '../factors/factor.entity.ts';
import { assertNoneMissing, markFirst, type VerifiedFactor } from '../factors/factor-marks.ts';
import { challengeIn, challengeLifeMs, digestIn, newApprovalChallenge, useChallenge } from './challenges.ts';
import { type Assertion, counterOf, openAssertion } from './judge-assertion.ts';
import type { PasskeyDeps } from './passkey-settings.ts';

type Needs = Pick<AccessDeps, 'database' | 'rows' | 'clock' | 'keyring'> & PasskeyDeps;

/** What an operator who approves a change has to sign by a passkey, where there is one. */
export function createPasskeyOptionsOfApproval(deps: Needs): Administrators['passkeyOptions'] {
  const { database, relyingParty } = deps;
  return async ({ operatorId, digest }) => {
    const passkeys = (await assertNoneMissing(database, operatorId, deps)).filter(isPasskey);
    if (passkeys.length === 0) return { options: null };
    const challenge = await newApprovalChallenge({ operatorId, digest }, deps);
    return {
      options: {
        challenge,
        rpId: relyingParty.rpId,
        timeout: challengeLifeMs,
        userVerification: 'required',
        allowCredentials: passkeys.map(({ credentialId }) => ({
          id: credentialId ?? '',
          type: 'public-key',
        })),
      },
    };
  };
}

/**
 * Whether an operator has confirmed a change: by a passkey where he has one, by his session where he has none.
 * @throws AppError PASSKEY_NEEDED, FORBIDDEN
 */
export function createConfirm(deps: Needs): Administrators['confirm'] {
  const { database } = deps;
  return async ({ operatorId, digest, sealedResponse }) => {
    const factors = await assertNoneMissing(database, operatorId, deps);
    if (!factors.some(isPasskey)) return { digest };
    if (sealedResponse === undefined) throw passkeyNeeded();
    const binding = { purpose: 'approval-response', owner: operatorId } as const;
    const assertion = await openAssertion(sealedResponse, binding, deps);
    if (assertion === undefined) throw notConfirmed();
    const challenge = challengeIn(assertion.response.clientDataJSON);
    // Used up also where it is refused.
    const isAsked = await useChallenge({ challenge, operatorId }, deps);
    if (!isAsked || digestIn(challenge) !== digest) throw notConfirmed();
    const signed = { assertion, challenge, operatorId, factors };
    const factorId = await database.transaction((em) => judge(em, signed, deps));
    if (factorId === undefined) throw notConfirmed();
    return { digest, factorId };
  };
}

/** The same for the services that keep changes of their own: they check the signature of intake under it. */
export function createConfirmApproval(
  deps: Needs & Pick<AccessDeps, 'newId'>,
): UseCase<'intake', 'administrators.confirmApproval'> {
  const confirm = createConfirm(deps);
  return async (approval, { peer: aud }) => {
    const { digest, factorId } = await confirm(approval);
    const iat = Math.floor(deps.clock().getTime() / 1_000);
    const exp = iat + approvalGrantLifeMs / 1_000;
    const claims = { aud, sub: approval.operatorId, digest, factorId, jti: deps.newId(), iat, exp };
    return { grant: deps.keyring.signStatement(approvalGrantType, claims) };
  };
}

interface Signed {
  readonly operatorId: string;
  readonly assertion: Assertion;
  readonly challenge: string;
  /** Returned by `assertNoneMissing`. */
  readonly factors: readonly VerifiedFactor[];
}

/** @returns the passkey of this operator that has signed */
async function judge(
  em: EntityManager,
  { operatorId, factors, ...signed }: Signed,
  deps: Needs,
): Promise<string | undefined> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const named = factors.find((factor) => isPasskey(factor) && factor.credentialId === signed.assertion.id);
  if (named === undefined) return undefined;
  const enrolled = { id: named.id, operatorId, confirmedAt: { $ne: null } } as const;
  const passkey = await ifIntact(em.findOne(OperatorFactorEntity, enrolled, { lockMode }));
  if (!passkey) return undefined;
  const counter = await counterOf(passkey, signed, deps);
  if (counter === undefined) return undefined;
  passkey.counter = counter;
  passkey.lastUsedAt = deps.clock();
  await markFirst(em, { operatorId, factors }, deps);
  return passkey.id;
}

function isPasskey({ kind }: VerifiedFactor): boolean {
  return kind === 'passkey';
}

function passkeyNeeded(): AppError {
  return new AppError({ code: 'PASSKEY_NEEDED' });
}

function notConfirmed(): AppError {
  const text = createText('approval.passkeyNotConfirmed');
  return new AppError({ code: 'FORBIDDEN', text });
}
