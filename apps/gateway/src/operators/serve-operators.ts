import type { FastifyInstance } from 'fastify';
import { createOperatorContext, type OperatorContextDeps } from './context.ts';
import { createForward, type ForwardDeps } from './forward.ts';
import { createIdentifyOperator, type IdentifyOperatorDeps } from './identify-operator.ts';
import { createOperatorRouter } from './operator-router.ts';
import { serveReports } from './reports/serve-reports.ts';
import { type ServeTrpcDeps, serveTrpc } from './serve-trpc.ts';
import { createSignIn, type SignInDeps } from './sign-in.ts';

export type OperatorsDeps = ForwardDeps &
  SignInDeps &
  OperatorContextDeps &
  IdentifyOperatorDeps &
  Pick<ServeTrpcDeps, 'limit' | 'budgets' | 'pace'>;

/** Serves `/trpc` and the reports that use its procedures. */
export function serveOperators(app: FastifyInstance, deps: OperatorsDeps): void {
  const forward = createForward(deps);
  const identify = createIdentifyOperator(deps);
  serveReports(app, { forward, identify, limit: deps.limit });
  serveTrpc(app, {
    router: createOperatorRouter({ forward, signIn: createSignIn(deps) }),
    createContext: createOperatorContext(deps),
    identify,
    limit: deps.limit,
    budgets: deps.budgets,
    pace: deps.pace,
  });
}
