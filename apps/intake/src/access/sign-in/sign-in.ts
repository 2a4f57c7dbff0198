import { setTimeout as pause } from 'node:timers/promises';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { ifIntact } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import { KeyringError } from '@rubrica/process/keyring';
import type { UseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import { type CountedCode, countCode } from '../factors/code-tries/count-code.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import { createAttempts } from '../passwords/attempts.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import type { PasswordDeps } from '../passwords/password-hashes.ts';
import { sealSession } from '../sessions/seal-session.ts';
import { noteSignIn } from './note-sign-in.ts';
import { type AfterPasswordDeps, openAfterPassword } from './open-after-password.ts';

type SignIn = UseCase<'intake', 'tokens.signIn'>;
type SignInDeps = AfterPasswordDeps & Pick<AccessDeps, 'database' | 'rows'> & PasswordDeps;

function unauthenticated(cause?: unknown): AppError {
  const text = createText('operator.passwordWrong');
  return new AppError({ code: 'UNAUTHENTICATED', text, cause });
}

/**
 * Opens a session for an operator's e-mail and password (sealed to intake), with the code of a second factor
 * if one is due. An unknown e-mail costs the same time as a wrong password. Wrong passwords and codes slow it
 * down like any other, so that nobody learns who is an operator.
 * @throws AppError UNAUTHENTICATED, RATE_LIMITED, CODES_LOCKED if the password is right
 */
export function createSignIn(
  deps: SignInDeps,
  {
    wait = (ms: number): Promise<unknown> => pause(ms),
  }: { readonly wait?: (ms: number) => Promise<unknown> } = {},
): SignIn {
  const { database } = deps;
  const attempts = createAttempts(deps);
  const findOperator = createFindOperator(deps);
  return async ({ sealedPassword, sealedCode, address, userAgent, ...input }, { peer }) => {
    deps.passwordHashes.assertRoom();
    const email = input.email.toLowerCase();
    const password = await open(sealedPassword, { purpose: 'operator-password', owner: email }, deps);
    const entered =
      sealedCode === undefined
        ? undefined
        : await open(sealedCode, { purpose: 'operator-code', owner: email }, deps);
    const attempt = { account: email, address };
    const { delayMs } = await attempts.count(attempt);
    if (delayMs > 0) await wait(delayMs);
    const operator = await attempts.judge(attempt, () => findOperator(email, password));
    const code = await countEntered(operator, entered, deps);
    const from = { address, userAgent };
    const opened = await database.transaction((em) => openAfterPassword(em, { operator, code, from }, deps));
    if (opened === 'wrongCode')
      throw new AppError({ code: 'UNAUTHENTICATED', text: createText('operator.codeWrong') });
    if ('challenge' in opened) {
      await attempts.takeBack(attempt);
      return opened;
    }
    await attempts.forgive(attempt);
    return sealSession(opened, { peer, sealedProof: sealedPassword }, deps);
  };
}

/** Counts the code. @throws AppError CODES_LOCKED, which is audited as a refusal */
async function countEntered(
  operator: Operator,
  code: string | undefined,
  deps: SignInDeps,
): Promise<CountedCode | undefined> {
  if (code === undefined) return undefined;
  try {
    return await countCode({ operatorId: operator.id, code }, deps);
  } catch (error) {
    const details = { factor: 'code', isLocked: true };
    if (error instanceof AppError && error.code === 'CODES_LOCKED')
      await noteSignIn(deps.database, operator, { action: 'auth.signInRefused', details });
    throw error;
  }
}

/** Creates a function that finds the operator of a password; a refusal is audited. */
function createFindOperator({ database, passwordHashes }: Pick<SignInDeps, 'database' | 'passwordHashes'>) {
  let dummyHash: Promise<string> | undefined;
  return async (email: string, password: string): Promise<Operator> => {
    const operator = await ifIntact(database.fork().findOne(OperatorEntity, { email, enabled: true }));
    dummyHash ??= hashPassword('nobody');
    const matches = await passwordHashes.verify(password, operator?.passwordHash || (await dummyHash));
    if (operator && matches) return operator;
    // An unknown address is not recorded: it may be a password that was typed into the wrong field.
    if (operator) await noteSignIn(database, operator, { action: 'auth.signInRefused' });
    throw unauthenticated();
  };
}

interface Binding {
  readonly purpose: 'operator-password' | 'operator-code';
  readonly owner: string;
}

async function open(
  sealed: string,
  binding: Binding,
  { keyring }: Pick<SignInDeps, 'keyring'>,
): Promise<string> {
  try {
    return await keyring.openText(sealed, binding);
  } catch (cause) {
    if (cause instanceof KeyringError) throw unauthenticated(cause);
    throw cause;
  }
}
