import { type Gateway, GatewayUnreachable } from '../gateway/gateway.ts';
import type { Renew } from './keep-fresh.ts';
import { tokensOf } from './tokens-of.ts';

/** Asks the gateway for the next pair of tokens of a session. */
export function createRenew(deps: { readonly gateway: Pick<Gateway, 'mutate'>; nowMs(): number }): Renew {
  return async (session, browser) => {
    const { refreshToken, email } = session;
    const { status, data } = await deps.gateway.mutate('auth.refresh', { refreshToken }, browser);
    const begun = tokensOf(data, { email, nowMs: deps.nowMs() });
    if (begun !== undefined) return begun.session;
    if (status < 500 && status !== 429) return undefined;
    throw new GatewayUnreachable(new Error(`a refresh was answered ${status}`));
  };
}
