import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { recordAudit } from '@rubrica/database';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import { openOwnPassword, provePassword, wrongPassword } from '../passwords/own-password.ts';
import type { PasswordDeps } from '../passwords/password-hashes.ts';
import { endSessions } from './end-sessions.ts';
import type { SessionDirectoryDeps } from './session-directory.ts';

type Needs = Pick<AccessDeps, 'database' | 'clock' | 'keyring'> & SessionDirectoryDeps & PasswordDeps;

/**
 * A new password, for who knows the present one. All other sessions end. Wrong ones are counted for the session, as those
 * at the door are for an address.
 * @throws AppError FORBIDDEN, RATE_LIMITED
 */
export function createChangePassword(deps: Needs): OperatorUseCase<'auth.changePassword'> {
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

/** Of two changes at the same moment the later one no longer knows the present password. */
async function write(em: EntityManager, { operator, passwordHash }: NewHash): Promise<void> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const row = await em.findOneOrFail(OperatorEntity, { id: operator.id }, options);
  if (row.passwordHash !== operator.passwordHash) throw wrongPassword();
  row.passwordHash = passwordHash;
}
