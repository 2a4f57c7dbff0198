import type { AccessTokens } from '../auth/access-tokens.ts';
import { bearerToken } from '../auth/bearer.ts';
import type { DoorCaller } from '../context.ts';

/**
 * Identifies the operator of a request. A caller with an invalid token counts as public, so that an expired token does
 * not prevent a new sign-in.
 */
export type IdentifyOperator = (authorization: string | undefined) => Promise<DoorCaller>;

export interface IdentifyOperatorDeps {
  readonly tokens: Pick<AccessTokens, 'verifyOperator'>;
}

export function createIdentifyOperator({ tokens }: IdentifyOperatorDeps): IdentifyOperator {
  return async (authorization) => {
    const token = bearerToken(authorization);
    if (token === undefined) return { kind: 'public' };
    try {
      const { identity } = await tokens.verifyOperator(token);
      return { kind: 'operator', ...identity };
    } catch {
      return { kind: 'public' };
    }
  };
}
