import type { AccessTokens } from '../auth/access-tokens.ts';
import { parseBearerToken } from '../auth/bearer.ts';
import type { IdentifiedCaller } from '../context.ts';

/**
 * Identifies the operator of a request. A caller with an invalid token counts as public, so that an expired token does
 * not prevent a new sign-in.
 */
export type IdentifyOperator = (authorization: string | undefined) => Promise<IdentifiedCaller>;

export interface IdentifyOperatorDeps {
  readonly tokens: Pick<AccessTokens, 'verifyOperator'>;
}

export function createIdentifyOperator({ tokens }: IdentifyOperatorDeps): IdentifyOperator {
  return async (authorization) => {
    const token = parseBearerToken(authorization);
    if (token === undefined) return { kind: 'public' };
    try {
      const { identity } = await tokens.verifyOperator(token);
      return { kind: 'operator', ...identity };
    } catch {
      return { kind: 'public' };
    }
  };
}
