import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { recordAudit } from '@rubrica/audit/log';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import { openOwnPassword, provePassword, wrongPassword } from '../passwords/own-password.ts';
import type { PasswordDeps } from '../passwords/password-hashes.ts';
import { endSessions } from './end-sessions.ts';
import type { SessionDirectoryDeps } from './session-directory.ts';

type ChangePasswordDeps = Pick<AccessDeps, 'database' | 'clock' | 'keyring'> &
  SessionDirectoryDeps &
  PasswordDeps;

/**
 * Changes the password of an operator who knows the current one. All other sessions end. Wrong passwords are
 * counted for the session, as a sign-in counts them for an address.
 * @throws AppError FORBIDDEN, RATE_LIMITED
 */
export function createChangePassword(deps: ChangePasswordDeps): OperatorUseCase<'auth.changePassword'> {
  return async (input, { caller }) => {
    const { operatorId, email, session } = caller;
    const next = await openOwnPassword(input.newPassword, caller, deps);
    const operator = await provePassword(input.currentPassword, caller, deps);
    const passwordHash = await deps.passwordHashes.hash(next);
    const ended = await deps.database.transaction(async (em) => {
      await write(em, { operator, passwordHash });
      const ids = await endSessions(em, { operatorId, except: session?.id }, deps.clock());
      await recordAudit(em, {
        actor: `operator:${email}`,
        action: 'auth.changePassword',
        target: `operator:${operatorId}`,
        reason: input.reason,
        details: { sessions: ids },
      });
      return ids;
    });
    for (const id of ended) deps.sessions.forget(id);
    return { ended: ended.length };
  };
}

interface NewHash {
  readonly operator: Pick<Operator, 'id' | 'passwordHash'>;
  readonly passwordHash: string;
}

/** Writes the new hash. Of two concurrent changes the later one no longer has the current password. */
async function write(em: EntityManager, { operator, passwordHash }: NewHash): Promise<void> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const row = await em.findOneOrFail(OperatorEntity, { id: operator.id }, options);
  if (row.passwordHash !== operator.passwordHash) throw wrongPassword();
  row.passwordHash = passwordHash;
}
