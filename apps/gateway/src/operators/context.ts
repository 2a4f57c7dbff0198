import { type BaseContext, type CallMetrics, createServiceTrpc, type Logger } from '@rubrica/process';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountLimit } from '../http/account-limit.ts';
import { networkOf } from '../http/address-of.ts';
import { retryAfter } from '../http/send-error.ts';
import { toFault } from '../http/to-fault.ts';

export interface OperatorContext extends BaseContext {
  /** Counts a sign-in of this address and, from there, of that account. @throws AppError RATE_LIMITED */
  countSignIn(account: string): Promise<void>;
}

export const { router, procedure, asAnyone, asOperator } = createServiceTrpc<OperatorContext>();

export interface OperatorContextDeps {
  readonly signInLimit: ((request: FastifyRequest, reply: FastifyReply) => Promise<void>) | undefined;
  readonly accountLimit: AccountLimit | undefined;
  readonly logger: Logger;
  readonly metrics: CallMetrics;
}

/** Of a request whose caller has been identified. */
export type CreateOperatorContext = (request: FastifyRequest, reply: FastifyReply) => OperatorContext;

export function createOperatorContext(deps: OperatorContextDeps): CreateOperatorContext {
  return (request, reply) => ({
    peer: 'gateway',
    caller: request.caller,
    requestId: request.call.requestId,
    traceparent: request.call.traceparent,
    signal: request.signal,
    logger: deps.logger,
    metrics: deps.metrics,
    countSignIn: inTurn(async (account) => {
      try {
        await deps.signInLimit?.(request, reply);
        deps.accountLimit?.({ account, address: networkOf(request.ip) });
      } catch (error) {
        retryAfter(reply, toFault(error));
        throw error;
      }
    }),
  });
}

/** One after the other: calls at the same moment would all get the same count. */
function inTurn(work: (account: string) => Promise<void>): (account: string) => Promise<void> {
  let last = Promise.resolve();
  return (account) => {
    last = last.then(() => work(account));
    return last;
  };
}
