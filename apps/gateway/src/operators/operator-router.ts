import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { type OperatorPath, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { AppError } from '@rubrica/process';
import type { AnyTRPCProcedure, AnyTRPCRouter } from '@trpc/server';
import { asAnyone, asOperator, procedure, router } from './context.ts';
import type { Forward } from './forward.ts';
import type { SignIn } from './sign-in.ts';

export interface OperatorRouterDeps {
  readonly forward: Forward;
  readonly signIn: SignIn;
}

/** Signing in is asked for before the role is checked. */
const signedIn = procedure.use(({ ctx, next }) => {
  if (ctx.caller.kind === 'operator') return next();
  throw new AppError({
    code: 'UNAUTHENTICATED',
    publicMessage: 'Sign in: a valid operator token is required',
  });
});

/** Every operators' procedure of the contracts' table; all but the sign-in are answered by other services. */
export function createOperatorRouter(deps: OperatorRouterDeps): AnyTRPCRouter {
  const record: Record<string, AnyTRPCProcedure | Record<string, AnyTRPCProcedure>> = {};
  for (const path of Object.keys(operatorProcedures) as OperatorPath[]) {
    const built = path === 'auth.signIn' ? signInProcedure(deps.signIn) : forwarded(path, deps.forward);
    const [group, name] = path.split('.') as [string, string?];
    if (name === undefined) record[group] = built;
    else
      record[group] = { ...(record[group] as Record<string, AnyTRPCProcedure> | undefined), [name]: built };
  }
  return router(record);
}

function signInProcedure(signIn: SignIn): AnyTRPCProcedure {
  return procedure
    .use(asAnyone())
    .input(operatorProcedures['auth.signIn'].input)
    .mutation(({ ctx, input }) => ctx.signIn((address) => signIn(input, address)));
}

/** Input is checked here, so that faults cost no call; the service checks it and the role again. */
function forwarded(path: OperatorPath, forward: Forward): AnyTRPCProcedure {
  const { kind, role, input: schema }: OperatorProcedure = operatorProcedures[path];
  if (role === 'public') throw new Error(`${path}: only the sign-in is open to all`);
  const guarded = signedIn.use(asOperator(role)).input(schema);
  return kind === 'query'
    ? guarded.query(({ ctx, input }) => forward(path, input, ctx))
    : guarded.mutation(({ ctx, input }) => forward(path, input, ctx));
}
