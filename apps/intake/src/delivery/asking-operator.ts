import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import {
  AppError,
  assertOperator,
  createCallTokenVerifier,
  KeyringError,
  type OperatorCaller,
} from '@rubrica/process';
import type { IntakeDeps } from '../context.ts';

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export type AskingOperator = (callToken: string, role: OperatorRole) => Promise<OperatorCaller>;

/**
 * The operator on whose word the notifier acts: it shows the call token of the operator's call to it, which was made for
 * it and given to the gateway, and counts for as long here, 5 s. Whether the operator may still decide is asked where it
 * is decided.
 */
export function createAskingOperator({
  keyring,
  tokenClock,
}: Pick<IntakeDeps, 'keyring' | 'tokenClock'>): AskingOperator {
  const nowMs = () => tokenClock().getTime();
  const identify = createCallTokenVerifier({ keyring, self: 'notifier', nowMs });
  return async (callToken, role) => {
    try {
      return assertOperator(await identify(callToken, 'gateway'), role);
    } catch (error) {
      throw error instanceof KeyringError ? new AppError({ code: 'UNAUTHENTICATED', cause: error }) : error;
    }
  };
}
