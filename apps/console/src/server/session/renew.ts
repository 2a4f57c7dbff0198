import { type Gateway, GatewayUnreachable } from '../gateway/gateway.ts';
import type { RenewSession } from './renew-if-due.ts';
import { toSignedInSession } from './signed-in-session.ts';

/** Creates the renewal of a session's tokens at the gateway. */
export function createRenewSession(deps: {
  readonly gateway: Pick<Gateway, 'mutate'>;
  nowMs(): number;
}): RenewSession {
  return async (session, browser) => {
    const { refreshToken, email } = session;
    const { status, data } = await deps.gateway.mutate('auth.refresh', { refreshToken }, browser);
    const renewed = toSignedInSession(data, { email, nowMs: deps.nowMs() });
    if (renewed !== undefined) return renewed.session;
    if (status < 500 && status !== 429) return undefined;
    throw new GatewayUnreachable(new Error(`a refresh was answered ${status}`));
  };
}
