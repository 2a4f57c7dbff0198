import { randomBytes } from 'node:crypto';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process/errors';
import { KeyringError } from '@rubrica/process/keyring';
import type { OperatorCaller } from '@rubrica/process/trpc';
import type { CallContext, OperatorUseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import { createAttempts } from '../passwords/attempts.ts';
import type { PasswordDeps } from '../passwords/password-hashes.ts';
import type { SessionDirectoryDeps } from '../sessions/session-directory.ts';
import { assertFactorSlot, lockOperator, promoteSession } from './enrolment.ts';
import { OperatorFactorEntity } from './factor.entity.ts';
import { assertFactorsIntact, markFactors } from './factor-marks.ts';
import { assertFreshProof } from './fresh-proof.ts';
import { noteEnrolment } from './note-enrolment.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';
import { encodeBase32, formatOtpauthUri } from './totp.ts';
import { useTotpCode } from './use-code.ts';

type EnrolTotpDeps = Pick<
  AccessDeps,
  'database' | 'rows' | 'clock' | 'keyring' | 'newId' | 'operatorSessions'
> &
  SessionDirectoryDeps &
  PasswordDeps;
type Call = CallContext<OperatorCaller>;

const secretBytes = 20;

/**
 * Enrols an app for one-time codes, in two steps: the secret first, then a code that shows that the app has
 * it. Recovery codes come with it.
 * @throws AppError FRESH_PROOF_NEEDED, FORBIDDEN for a wrong code, RATE_LIMITED, REQUEST_STATE_NOT_ALLOWED
 */
export function createEnrolTotp(deps: EnrolTotpDeps): OperatorUseCase<'auth.enrolTotp'> {
  return async ({ code, currentPassword, reason }, call) => {
    await assertFreshProof(call.caller, currentPassword, deps);
    return code === undefined ? begin(call, deps) : confirm({ sealedCode: code, reason }, call, deps);
  };
}

async function begin({ caller, peer }: Call, deps: EnrolTotpDeps) {
  const { operatorId, email } = caller;
  const { newId, keyring, clock, database } = deps;
  const id = newId();
  const secret = randomBytes(secretBytes);
  const sealedSecret = await keyring.sealTo('intake', secret, { purpose: 'totp-secret', owner: id });
  await database.transaction(async (em) => {
    await assertFactorSlot(em, operatorId);
    await em.nativeDelete(OperatorFactorEntity, { operatorId, kind: 'totp', confirmedAt: null });
    em.create(OperatorFactorEntity, {
      id,
      operatorId,
      kind: 'totp',
      name: 'app',
      sealedSecret,
      credentialId: null,
      publicKey: null,
      createdAt: clock(),
      confirmedAt: null,
      lastUsedAt: null,
    });
  });
  const uri = formatOtpauthUri(secret, { issuer: deps.operatorSessions.name, account: email });
  const binding = { purpose: 'totp-secret-shown', owner: operatorId } as const;
  return {
    secret: await keyring.sealTo(peer, encodeBase32(secret), binding),
    otpauthUri: await keyring.sealTo(peer, uri, binding),
  };
}

interface Confirmation {
  readonly sealedCode: string;
  readonly reason: string | undefined;
}

async function confirm({ sealedCode, reason }: Confirmation, { caller, peer }: Call, deps: EnrolTotpDeps) {
  const { operatorId, email, session } = caller;
  const code = await openCode(sealedCode, operatorId, deps);
  const attempts = createAttempts(deps);
  const attempt = { account: email, address: session?.id ?? operatorId };
  await attempts.count(attempt);
  const enrolled = await deps.database.transaction(async (em) => {
    // Locked first, as a sign-in does, so that neither waits for the other.
    await lockOperator(em, operatorId);
    const existing = await assertFactorsIntact(em, operatorId, deps);
    const factor = await confirmFactor(em, { operatorId, code }, deps);
    await markFactors(em, operatorId, [...existing.filter(({ kind }) => kind !== 'totp'), factor]);
    const codes = await renewRecoveryCodes(em, operatorId, factor.id);
    await promoteSession(em, caller, deps.clock());
    const enrolment = { kind: 'totp', reason, details: { factorId: factor.id } } as const;
    await noteEnrolment(em, caller, { enrolment, deps });
    return { factorId: factor.id, codes };
  });
  await attempts.forgive(attempt);
  if (session !== undefined) deps.sessions.forget(session.id);
  const seal = (text: string) =>
    deps.keyring.sealTo(peer, text, { purpose: 'recovery-codes', owner: operatorId });
  return { factorId: enrolled.factorId, recoveryCodes: await Promise.all(enrolled.codes.map(seal)) };
}

/** Confirms the new app, which replaces the previous one. */
async function confirmFactor(
  em: EntityManager,
  { operatorId, code }: { readonly operatorId: string; readonly code: string },
  deps: EnrolTotpDeps,
) {
  const unconfirmed = { operatorId, kind: 'totp', confirmedAt: null } as const;
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const factor = await em.findOne(OperatorFactorEntity, unconfirmed, {
    lockMode,
    orderBy: { createdAt: 'desc' },
  });
  if (!factor) {
    const text = createText('operator.totpNotBegun');
    throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', text });
  }
  if (!(await useTotpCode(factor, code.replaceAll(/\s/g, ''), deps))) throw wrongCode();
  await em.nativeDelete(OperatorFactorEntity, { operatorId, kind: 'totp', confirmedAt: { $ne: null } });
  factor.confirmedAt = deps.clock();
  return factor;
}

async function openCode(
  sealed: string,
  owner: string,
  { keyring }: Pick<EnrolTotpDeps, 'keyring'>,
): Promise<string> {
  try {
    return await keyring.openText(sealed, { purpose: 'account-code', owner });
  } catch (cause) {
    if (cause instanceof KeyringError) throw wrongCode(cause);
    throw cause;
  }
}

function wrongCode(cause?: unknown): AppError {
  const text = createText('operator.totpWrong');
  return new AppError({ code: 'FORBIDDEN', text, cause });
}
