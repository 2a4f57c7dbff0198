import type { Logger } from '@rubrica/process/log';
import { type BaseContext, type CallMetrics, createServiceTrpc } from '@rubrica/process/trpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '../context.ts';
import { getCallerNetwork } from '../http/caller-address.ts';
import { localizeShape } from './localize-shape.ts';
import type { CallOrigin } from './sign-in.ts';

export interface OperatorContext extends BaseContext {
  /** Language of the operator's texts. */
  readonly language: Language;
  /**
   * Counts a sign-in of this address, then runs it.
   * @throws AppError RATE_LIMITED, or an error of `work`
   */
  signIn<Result>(work: (from: CallOrigin) => Promise<Result>): Promise<Result>;
}

export const { router, procedure, asAnyone, asOperator } = createServiceTrpc<OperatorContext>({
  localize: (shape, context) => localizeShape(shape, context?.language ?? 'en'),
});

export interface OperatorContextDeps {
  readonly signInLimit: ((request: FastifyRequest, reply: FastifyReply) => Promise<void>) | undefined;
  readonly logger: Logger;
  readonly metrics: CallMetrics;
}

/** Creates the context of a request whose caller was identified. */
export type CreateOperatorContext = (request: FastifyRequest, reply: FastifyReply) => OperatorContext;

export function createOperatorContext(deps: OperatorContextDeps): CreateOperatorContext {
  return (request, reply) => {
    const count = runSequentially(async () => deps.signInLimit?.(request, reply));
    return {
      peer: 'gateway',
      caller: request.caller,
      token: request.caller.kind === 'public' ? undefined : request.caller.sealedToken,
      language: request.call.language,
      requestId: request.call.requestId,
      traceparent: request.call.traceparent,
      signal: request.signal,
      logger: deps.logger,
      metrics: deps.metrics,
      async signIn(work) {
        await count();
        return work(readCallOrigin(request));
      },
    };
  };
}

const maxUserAgent = 300;

export function readCallOrigin({ ip, headers }: FastifyRequest): CallOrigin {
  return { address: getCallerNetwork(ip), userAgent: (headers['user-agent'] ?? '').slice(0, maxUserAgent) };
}

/** Runs the work sequentially: concurrent calls would all get the same count. */
function runSequentially(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(work);
    return last;
  };
}
