import { setTimeout as pause } from 'node:timers/promises';
import { ifIntact, statement } from '@rubrica/database';
import { AppError, KeyringError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { OperatorEntity } from './operator.entity.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { openSession, type SessionDeps } from './sessions/open-session.ts';
import { sealSession } from './sessions/seal-session.ts';
import { createAttempts } from './slow-downs/attempts.ts';

type SignIn = UseCase<'intake', 'tokens.signIn'>;
type Needs = SessionDeps & Pick<IntakeDeps, 'database'>;

function refused(cause?: unknown): AppError {
  const publicMessage = 'The e-mail or the password is not correct';
  return new AppError({ code: 'UNAUTHENTICATED', publicMessage, cause });
}

const note = statement<{ readonly actor: string; readonly action: string; readonly target: string }>({
  name: 'audit-sign-in',
  sql: 'insert into audit (actor, action, target) values (:actor, :action, :target)',
});

/**
 * A session for an operator's e-mail and password (sealed to intake). An unknown e-mail costs the same time as a
 * wrong password, and wrong passwords slow it down like any other, so that nobody learns who is an operator.
 * @throws AppError UNAUTHENTICATED, RATE_LIMITED
 */
export function createSignIn(
  deps: Needs,
  {
    wait = (ms: number): Promise<unknown> => pause(ms),
  }: { readonly wait?: (ms: number) => Promise<unknown> } = {},
): SignIn {
  const { database } = deps;
  const attempts = createAttempts(deps);
  let nobody: Promise<string> | undefined;
  return async (input, { peer }) => {
    const email = input.email.toLowerCase();
    const password = await openPassword(input.sealedPassword, email, deps);
    const attempt = { account: email, address: input.address };
    const { delayMs } = await attempts.count(attempt);
    if (delayMs > 0) await wait(delayMs);
    const operator = await ifIntact(database.fork().findOne(OperatorEntity, { email, enabled: true }));
    nobody ??= hashPassword('nobody');
    const matches = await verifyPassword(password, operator?.passwordHash || (await nobody));
    // An unknown address is not recorded: it may be a password that was typed into the wrong field.
    if (operator)
      await note.run(database, {
        actor: `operator:${operator.email}`,
        action: matches ? 'auth.signIn' : 'auth.signInRefused',
        target: `operator:${operator.id}`,
      });
    if (!operator || !matches) throw refused();
    await attempts.forgive(attempt);
    const from = { address: input.address, userAgent: input.userAgent };
    const tokens = await database.transaction((em) =>
      openSession(em, { operator, method: 'password', from }, deps),
    );
    return sealSession(tokens, { peer, sealedProof: input.sealedPassword }, deps);
  };
}

async function openPassword(sealed: string, owner: string, { keyring }: Pick<Needs, 'keyring'>) {
  try {
    return await keyring.openText(sealed, { purpose: 'operator-password', owner });
  } catch (cause) {
    if (cause instanceof KeyringError) throw refused(cause);
    throw cause;
  }
}
