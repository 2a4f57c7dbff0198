import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { AppError, assertOperator, type Keyring, KeyringError, type OperatorCaller } from '@rubrica/process';

/**
 * The operator on whose word the notifier acts: it shows the token of the operator's call to it, which the gateway was
 * given and nobody else can make. Whether the operator may still decide is asked where it is decided.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function askingOperator(
  token: string,
  role: OperatorRole,
  { keyring }: { readonly keyring: Pick<Keyring, 'verifyIdentity'> },
): Promise<OperatorCaller> {
  try {
    return assertOperator(await keyring.verifyIdentity(token, 'gateway'), role);
  } catch (error) {
    throw error instanceof KeyringError ? new AppError({ code: 'UNAUTHENTICATED', cause: error }) : error;
  }
}
