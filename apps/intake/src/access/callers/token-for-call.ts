import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import { KeyringError } from '@rubrica/process/keyring';
import { signCallToken } from '@rubrica/process/tokens';
import { assertOperator } from '@rubrica/process/trpc';
import type { UseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import type { CallerDeps } from './identify-caller.ts';

type TokenForCall = UseCase<'intake', 'tokens.forCall'>;

/**
 * Issues a call token for the caller of an access token: for one receiver, given to the service that asks.
 * Its lifetime begins before the rows are read, so a right that ends after the read lasts no longer than
 * that.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN for a disabled partner or a session that is not full
 */
export function createTokenForCall({
  callers,
  keyring,
  tokenClock,
}: Pick<AccessDeps, 'keyring' | 'tokenClock'> & CallerDeps): TokenForCall {
  return async ({ sealedToken, receiver }, { peer: givenTo }) => {
    const nowMs = tokenClock().getTime();
    const caller = await identifyCaller(sealedToken, givenTo, callers);
    // Sessions of other kinds may call this service only.
    if (caller.kind === 'operator') assertOperator(caller, 'viewer');
    return { callToken: signCallToken(keyring, caller, { receiver, givenTo, nowMs }) };
  };
}

async function identifyCaller(sealed: string, peer: ServiceName, callers: CallerDeps['callers']) {
  try {
    return await callers.byRowsOfNow(sealed, peer);
  } catch (cause) {
    throw cause instanceof KeyringError ? new AppError({ code: 'UNAUTHENTICATED', cause }) : cause;
  }
}
