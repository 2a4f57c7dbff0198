import type { Caller } from '@rubrica/contracts/shared/caller';
import { type BaseContext, type CallMetrics, createServiceTrpc, type Logger } from '@rubrica/process';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessTokens } from '../auth/access-tokens.ts';
import { bearerToken } from '../auth/bearer.ts';

export interface OperatorContext extends BaseContext {
  /** Counts a sign-in of this address. @throws AppError RATE_LIMITED */
  countSignIn(): Promise<void>;
}

export const { router, procedure, asAnyone, asOperator } = createServiceTrpc<OperatorContext>();

export interface OperatorContextDeps {
  readonly tokens: Pick<AccessTokens, 'verifyOperator'>;
  readonly signInLimit: ((request: FastifyRequest, reply: FastifyReply) => Promise<void>) | undefined;
  readonly logger: Logger;
  readonly metrics: CallMetrics;
}

export type CreateOperatorContext = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<OperatorContext>;

export function createOperatorContext(deps: OperatorContextDeps): CreateOperatorContext {
  return async (request, reply) => ({
    caller: await callerOf(request.headers.authorization, deps.tokens),
    requestId: request.call.requestId,
    traceparent: request.call.traceparent,
    signal: request.signal,
    logger: deps.logger,
    metrics: deps.metrics,
    countSignIn: inTurn(async () => deps.signInLimit?.(request, reply)),
  });
}

/** One after the other: calls at the same moment would all get the same count. */
function inTurn(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(work);
    return last;
  };
}

/** A caller with an invalid token counts as public, so that a stale token does not prevent a new sign-in. */
async function callerOf(
  authorization: string | undefined,
  tokens: Pick<AccessTokens, 'verifyOperator'>,
): Promise<Caller> {
  const token = bearerToken(authorization);
  if (token === undefined) return { kind: 'public' };
  try {
    const { identity } = await tokens.verifyOperator(token);
    return { kind: 'operator', ...identity };
  } catch {
    return { kind: 'public' };
  }
}
