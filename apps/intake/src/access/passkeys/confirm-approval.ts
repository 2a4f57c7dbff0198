import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { Administrators } from '@rubrica/approvals/administrators';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { approvalGrantLifeMs, approvalGrantType } from '@rubrica/contracts/services/schemas/approval-grants';
import { ifIntact } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import { OperatorFactorEntity } from '../factors/factor.entity.ts';
import { assertFactorsIntact, markFirst, type VerifiedFactor } from '../factors/factor-marks.ts';
import {
  challengeLifeMs,
  newApprovalChallenge,
  readChallenge,
  readDigest,
  useChallenge,
} from './challenges.ts';
import { type Assertion, openAssertion, verifyAssertion } from './judge-assertion.ts';
import type { PasskeyDeps } from './passkey-settings.ts';

type ConfirmApprovalDeps = Pick<AccessDeps, 'database' | 'rows' | 'clock' | 'keyring'> & PasskeyDeps;

/** Creates the options for the passkey of an operator who approves a change, if there is one. */
export function createPasskeyOptionsOfApproval(deps: ConfirmApprovalDeps): Administrators['passkeyOptions'] {
  const { database, relyingParty } = deps;
  return async ({ operatorId, digest }) => {
    const passkeys = (await assertFactorsIntact(database, operatorId, deps)).filter(isPasskey);
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
 * Creates the check that an operator confirms a change: by a passkey if the operator has one, else by the
 * session.
 * @throws AppError PASSKEY_NEEDED, FORBIDDEN
 */
export function createConfirm(deps: ConfirmApprovalDeps): Administrators['confirm'] {
  const { database } = deps;
  return async ({ operatorId, digest, sealedResponse }) => {
    const factors = await assertFactorsIntact(database, operatorId, deps);
    if (!factors.some(isPasskey)) return { digest };
    if (sealedResponse === undefined) throw passkeyNeeded();
    const binding = { purpose: 'approval-response', owner: operatorId } as const;
    const assertion = await openAssertion(sealedResponse, binding, deps);
    if (assertion === undefined) throw notConfirmed();
    const challenge = readChallenge(assertion.response.clientDataJSON);
    // Used up even if it is refused.
    const isValid = await useChallenge({ challenge, operatorId }, deps);
    if (!isValid || readDigest(challenge) !== digest) throw notConfirmed();
    const signed = { assertion, challenge, operatorId, factors };
    const factorId = await database.transaction((em) => verifyApproval(em, signed, deps));
    if (factorId === undefined) throw notConfirmed();
    return { digest, factorId };
  };
}

/**
 * Creates the same check for services with their own changes, which verify intake's signature on the result.
 */
export function createConfirmApproval(
  deps: ConfirmApprovalDeps & Pick<AccessDeps, 'newId'>,
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

interface SignedApproval {
  readonly operatorId: string;
  readonly assertion: Assertion;
  readonly challenge: string;
  /** Returned by `assertFactorsIntact`. */
  readonly factors: readonly VerifiedFactor[];
}

/** Verifies the signature. @returns the id of the operator's passkey that has signed */
async function verifyApproval(
  em: EntityManager,
  { operatorId, factors, ...signed }: SignedApproval,
  deps: ConfirmApprovalDeps,
): Promise<string | undefined> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const named = factors.find((factor) => isPasskey(factor) && factor.credentialId === signed.assertion.id);
  if (named === undefined) return undefined;
  const enrolled = { id: named.id, operatorId, confirmedAt: { $ne: null } } as const;
  const passkey = await ifIntact(em.findOne(OperatorFactorEntity, enrolled, { lockMode }));
  if (!passkey) return undefined;
  const counter = await verifyAssertion(passkey, signed, deps);
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
