import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import { isUniqueViolation } from '@rubrica/database/connection';
import { findIntact } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import type { OperatorCaller } from '@rubrica/process/trpc';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { VerifiedRegistrationResponse } from '@simplewebauthn/server';
import type { AccessDeps } from '../deps.ts';
import { assertFactorSlot, lockOperator, promoteSession } from '../factors/enrolment.ts';
import { OperatorFactorEntity } from '../factors/factor.entity.ts';
import { assertFactorsIntact, markFactors } from '../factors/factor-marks.ts';
import { assertFreshProof } from '../factors/fresh-proof.ts';
import { noteEnrolment } from '../factors/note-enrolment.ts';
import type { PasswordDeps } from '../passwords/password-hashes.ts';
import type { SessionDirectoryDeps } from '../sessions/session-directory.ts';
import { challengeLifeMs, newChallenge, readChallenge, readDigest, useChallenge } from './challenges.ts';
import type { PasskeyDeps } from './passkey-settings.ts';
import { toUserHandle } from './user-handle.ts';
import { loadWebAuthn } from './web-authn.ts';

type EnrolPasskey = OperatorUseCase<'auth.enrolPasskey'>;
type Attestation = NonNullable<OperatorInput<'auth.enrolPasskey'>['response']>;
type EnrolPasskeyDeps = Pick<AccessDeps, 'database' | 'rows' | 'clock' | 'keyring' | 'newId'> &
  SessionDirectoryDeps &
  PasskeyDeps &
  PasswordDeps;

/** ES256, EdDSA and RS256 (https://www.iana.org/assignments/cose), which platforms support. */
const algorithms = [-7, -8, -257];

/**
 * Enrols a passkey, in two steps: options for the browser first, then the authenticator's response. The maker
 * of the authenticator is not asked for.
 * @throws AppError FRESH_PROOF_NEEDED, FORBIDDEN for a response to other options, REQUEST_STATE_NOT_ALLOWED
 */
export function createEnrolPasskey(deps: EnrolPasskeyDeps): EnrolPasskey {
  return async ({ response, name, currentPassword, reason }, { caller }) => {
    await assertFreshProof(caller, currentPassword, deps);
    return response === undefined
      ? begin(caller, deps)
      : enrol({ response, name: name ?? 'passkey', reason }, caller, deps);
  };
}

async function begin({ operatorId, email }: OperatorCaller, deps: EnrolPasskeyDeps) {
  const { database, relyingParty } = deps;
  const passkeys = { operatorId, kind: 'passkey' } as const;
  const em = database.fork();
  await assertFactorSlot(em, operatorId);
  const existing = await findIntact(em, OperatorFactorEntity, passkeys);
  const type = 'public-key' as const;
  return {
    options: {
      challenge: await newChallenge(operatorId, deps),
      rp: { id: relyingParty.rpId, name: relyingParty.name },
      user: { id: toUserHandle(operatorId), name: email, displayName: email },
      pubKeyCredParams: algorithms.map((alg) => ({ alg, type })),
      timeout: challengeLifeMs,
      excludeCredentials: existing.map(({ credentialId }) => ({ id: credentialId ?? '', type })),
      authenticatorSelection: {
        residentKey: 'required' as const,
        requireResidentKey: true as const,
        userVerification: 'required' as const,
      },
      attestation: 'none' as const,
    },
  };
}

interface NewPasskey {
  readonly response: Attestation;
  readonly name: string;
  readonly reason: string | undefined;
}

async function enrol({ response, name, reason }: NewPasskey, caller: OperatorCaller, deps: EnrolPasskeyDeps) {
  const { operatorId, session } = caller;
  const { credential } = await verifyAttestation(response, operatorId, deps);
  const factorId = deps.newId();
  await refuseTaken(
    deps.database.transaction(async (em) => {
      await lockOperator(em, operatorId);
      const existing = await assertFactorsIntact(em, operatorId, deps);
      await assertFactorSlot(em, operatorId);
      em.create(OperatorFactorEntity, {
        id: factorId,
        operatorId,
        kind: 'passkey',
        name,
        sealedSecret: null,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: response.response.transports ?? [],
        createdAt: deps.clock(),
        confirmedAt: deps.clock(),
        lastUsedAt: null,
      });
      await markFactors(em, operatorId, [...existing, { id: factorId }]);
      await promoteSession(em, caller, deps.clock());
      const enrolment = { kind: 'passkey', reason, details: { factorId, name } } as const;
      await noteEnrolment(em, caller, { enrolment, deps });
    }),
  );
  if (session !== undefined) deps.sessions.forget(session.id);
  return { factorId };
}

async function verifyAttestation(
  response: Attestation,
  operatorId: string,
  deps: EnrolPasskeyDeps,
): Promise<NonNullable<VerifiedRegistrationResponse['registrationInfo']>> {
  const challenge = readChallenge(response.response.clientDataJSON);
  const { relyingParty } = deps;
  const isValid = await useChallenge({ challenge, operatorId }, deps);
  if (!isValid || readDigest(challenge) !== undefined) throw notEnrolled();
  try {
    const { verifyRegistrationResponse } = await loadWebAuthn();
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} } as never,
      expectedChallenge: challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: relyingParty.rpId,
      supportedAlgorithmIDs: algorithms,
      requireUserVerification: true,
    });
    if (registrationInfo !== undefined) return registrationInfo;
  } catch (cause) {
    throw notEnrolled(cause);
  }
  throw notEnrolled();
}

async function refuseTaken(insertion: Promise<void>): Promise<void> {
  try {
    await insertion;
  } catch (cause) {
    throw isUniqueViolation(cause) ? notEnrolled(cause) : cause;
  }
}

function notEnrolled(cause?: unknown): AppError {
  const text = createText('operator.passkeyNotEnrolled');
  return new AppError({ code: 'FORBIDDEN', text, cause });
}
