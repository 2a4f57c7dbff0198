import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { AppError, assertOperator, KeyringError, signCallToken } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import type { CallerDeps } from './identify-caller.ts';

type TokenForCall = UseCase<'intake', 'tokens.forCall'>;

/**
 * A call token for whoever has shown the access token, for one receiver, in the hands of the service that asks. Its
 * seconds begin before the rows are read, so a right that ends meanwhile ends with it.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN for a partner that is switched off or a session that is not full
 */
export function createTokenForCall({
  callers,
  keyring,
  tokenClock,
}: Pick<AccessDeps, 'keyring' | 'tokenClock'> & CallerDeps): TokenForCall {
  return async ({ sealedToken, receiver }, { peer: givenTo }) => {
    const nowMs = tokenClock().getTime();
    const caller = await identified(sealedToken, givenTo, callers);
    // What a session of another kind may do is all in this service.
    if (caller.kind === 'operator') assertOperator(caller, 'viewer');
    return { callToken: signCallToken(keyring, caller, { receiver, givenTo, nowMs }) };
  };
}

async function identified(sealed: string, door: ServiceName, callers: CallerDeps['callers']) {
  try {
    return await callers.byRowsOfNow(sealed, door);
  } catch (cause) {
    throw cause instanceof KeyringError ? new AppError({ code: 'UNAUTHENTICATED', cause }) : cause;
  }
}
