import { createText } from '@rubrica/contracts/error-texts/create-text';
import { ifIntact } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import { KeyringError } from '@rubrica/process/keyring';
import type { OperatorCaller } from '@rubrica/process/trpc';
import type { AccessDeps } from '../deps.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import { createAttempts } from './attempts.ts';
import type { PasswordDeps } from './password-hashes.ts';

export type OwnPasswordDeps = Pick<AccessDeps, 'database' | 'clock' | 'keyring'> & PasswordDeps;

/**
 * Verifies the current password of the operator who is signed in. Wrong ones are counted for the session, as
 * a sign-in counts them for an address.
 * @throws AppError FORBIDDEN, RATE_LIMITED
 */
export async function provePassword(
  sealed: string,
  caller: OperatorCaller,
  deps: OwnPasswordDeps,
): Promise<Operator> {
  const { operatorId, email, session } = caller;
  const password = await openOwnPassword(sealed, caller, deps);
  const attempts = createAttempts(deps);
  const attempt = { account: email, address: session?.id ?? operatorId };
  await attempts.count(attempt);
  const operator = await attempts.judge(attempt, async () => {
    const found = await ifIntact(deps.database.fork().findOne(OperatorEntity, { id: operatorId }));
    if (!found?.passwordHash || !(await deps.passwordHashes.verify(password, found.passwordHash)))
      throw wrongPassword();
    return found;
  });
  await attempts.forgive(attempt);
  return operator;
}

/** @throws AppError FORBIDDEN */
export async function openOwnPassword(
  sealed: string,
  { operatorId: owner }: OperatorCaller,
  { keyring }: Pick<OwnPasswordDeps, 'keyring'>,
): Promise<string> {
  try {
    return await keyring.openText(sealed, { purpose: 'account-password', owner });
  } catch (cause) {
    if (cause instanceof KeyringError) throw wrongPassword(cause);
    throw cause;
  }
}

export function wrongPassword(cause?: unknown): AppError {
  const text = createText('operator.currentPasswordWrong');
  return new AppError({ code: 'FORBIDDEN', text, cause });
}
