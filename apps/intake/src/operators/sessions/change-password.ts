import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { ifIntact, recordAudit } from '@rubrica/database';
import { AppError, KeyringError, type OperatorCaller } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../../context.ts';
import { type Operator, OperatorEntity } from '../operator.entity.ts';
import { hashPassword, verifyPassword } from '../password-hash.ts';
import { createAttempts } from '../slow-downs/attempts.ts';
import { endSessions } from './end-sessions.ts';

type Needs = Pick<IntakeDeps, 'database' | 'clock' | 'keyring' | 'sessions'>;

function refused(cause?: unknown): AppError {
  const publicMessage = 'The current password is not correct';
  return new AppError({ code: 'FORBIDDEN', publicMessage, cause });
}

/**
 * A new password, for who knows the present one. All other sessions end. Wrong ones are counted for the session, as those
 * at the door are for an address.
 * @throws AppError FORBIDDEN, RATE_LIMITED
 */
export function createChangePassword(deps: Needs): OperatorUseCase<'auth.changePassword'> {
  const attempts = createAttempts(deps);
  return async (input, { caller }) => {
    const { operatorId, email, session } = caller;
    const current = await open(input.currentPassword, caller, deps);
    const next = await open(input.newPassword, caller, deps);
    const attempt = { account: email, address: session?.id ?? operatorId };
    await attempts.count(attempt);
    const operator = await ifIntact(deps.database.fork().findOne(OperatorEntity, { id: operatorId }));
    if (!operator?.passwordHash || !(await verifyPassword(current, operator.passwordHash))) throw refused();
    await attempts.forgive(attempt);
    const passwordHash = await hashPassword(next);
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

async function open(sealed: string, { operatorId: owner }: OperatorCaller, { keyring }: Needs) {
  try {
    return await keyring.openText(sealed, { purpose: 'account-password', owner });
  } catch (cause) {
    if (cause instanceof KeyringError) throw refused(cause);
    throw cause;
  }
}

interface NewHash {
  readonly operator: Pick<Operator, 'id' | 'passwordHash'>;
  readonly passwordHash: string;
}

/** Of two changes at the same moment the later one no longer knows the present password. */
async function write(em: EntityManager, { operator, passwordHash }: NewHash): Promise<void> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const row = await em.findOneOrFail(OperatorEntity, { id: operator.id }, options);
  if (row.passwordHash !== operator.passwordHash) throw refused();
  row.passwordHash = passwordHash;
}
