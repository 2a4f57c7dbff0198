import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAudit } from '@rubrica/audit/log';
import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import { newPassword } from '@rubrica/contracts/operators/sign-in';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { invalidField } from '@rubrica/process/errors';
import { KeyringError } from '@rubrica/process/keyring';
import type { UseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import type { OperatorDeps } from '../operators/operator-directory.ts';
import type { PasswordDeps } from '../passwords/password-hashes.ts';
import {
  openSession,
  type SessionDeps,
  type SessionOrigin,
  type SessionTokens,
} from '../sessions/open-session.ts';
import { sealSession } from '../sessions/seal-session.ts';
import { endInvitation } from './open-invitation.ts';
import { createTryLink, lockInvitation, type OpenInvitation } from './try-link.ts';

type AcceptInvitation = UseCase<'intake', 'invitations.accept'>;
type AcceptInvitationDeps = SessionDeps &
  Pick<AccessDeps, 'database' | 'sandbox'> &
  OperatorDeps &
  PasswordDeps;

const breakGlassLifeMs = HOUR_MS;

/**
 * Opens a session by a link, which it uses up. An invited operator, or one who gets new factors, chooses a
 * password. The session may enrol a second factor and nothing else, except in a sandbox.
 * @throws AppError UNAUTHENTICATED, RATE_LIMITED, FIELD_INVALID for a missing password
 */
export function createAcceptInvitation(deps: AcceptInvitationDeps): AcceptInvitation {
  const tryLink = createTryLink(deps);
  return (input, { peer }) =>
    tryLink(input, peer, async (tokenSha256) => {
      const passwordHash = await hashChosen(input.sealedPassword, tokenSha256, deps);
      const from = { address: input.address, userAgent: input.userAgent };
      const { tokens, operatorId } = await deps.database.transaction(async (em) => {
        const found = await lockInvitation(em, tokenSha256, deps.clock());
        return {
          tokens: await accept(em, { ...found, passwordHash, from }, deps),
          operatorId: found.operator.id,
        };
      });
      deps.operators.forget(operatorId);
      return sealSession(tokens, { peer, sealedProof: input.sealedToken }, deps);
    });
}

interface AcceptOptions extends OpenInvitation {
  readonly passwordHash: string | undefined;
  readonly from: SessionOrigin;
}

async function accept(
  em: EntityManager,
  { invitation, operator, passwordHash, from }: AcceptOptions,
  deps: AcceptInvitationDeps,
): Promise<SessionTokens> {
  const isBreakGlass = invitation.kind === 'breakGlass';
  if (!isBreakGlass) {
    if (passwordHash === undefined) throw noPassword();
    operator.passwordHash = passwordHash;
    operator.enabled = true;
  }
  await endInvitation(em, operator.id);
  await recordAudit(em, {
    actor: `operator:${operator.email}`,
    action: isBreakGlass ? 'auth.openBreakGlass' : 'auth.acceptInvitation',
    target: `operator:${operator.id}`,
    details: { kind: invitation.kind, ...from },
  });
  if (isBreakGlass) {
    const opening = { operator, from, method: 'breakGlass', scope: 'breakGlass' } as const;
    return openSession(em, { ...opening, lifeMs: breakGlassLifeMs }, deps);
  }
  const scope = deps.sandbox ? 'full' : 'enrolment';
  return openSession(em, { operator, from, method: 'invitation', scope }, deps);
}

/** Hashes the chosen password before the transaction, because it is slow. */
async function hashChosen(
  sealed: string | undefined,
  owner: string,
  { keyring, passwordHashes }: Pick<AcceptInvitationDeps, 'keyring' | 'passwordHashes'>,
): Promise<string | undefined> {
  if (sealed === undefined) return undefined;
  try {
    const password = await keyring.openText(sealed, { purpose: 'chosen-password', owner });
    if (!newPassword.safeParse(password).success) throw noPassword();
    return await passwordHashes.hash(password);
  } catch (cause) {
    if (cause instanceof KeyringError) throw noPassword();
    throw cause;
  }
}

function noPassword() {
  return invalidField('password', createFieldText('password', createText('field.passwordLength')));
}
