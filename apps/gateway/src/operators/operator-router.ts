import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { type OperatorPath, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { AppError } from '@rubrica/process/errors';
import type { AnyTRPCProcedure, AnyTRPCRouter } from '@trpc/server';
import { asAnyone, asOperator, type OperatorContext, procedure, router } from './context.ts';
import type { Forward } from './forward.ts';
import { localizeOutput } from './localize-output.ts';
import type { CallOrigin, SignInProcedures } from './sign-in.ts';

export interface OperatorRouterDeps {
  readonly forward: Forward;
  readonly signIn: SignInProcedures;
}

/** Requires a signed-in operator, before the role is checked. */
const signedInProcedure = procedure.use(({ ctx, next }) => {
  if (ctx.caller.kind === 'operator') return next();
  throw new AppError({
    code: 'UNAUTHENTICATED',
    text: createText('access.operatorTokenRequired'),
  });
});

/**
 * Creates the router of all operators' procedures in the contracts' table. Other services answer all except the public
 * ones.
 */
export function createOperatorRouter(deps: OperatorRouterDeps): AnyTRPCRouter {
  const record: Record<string, AnyTRPCProcedure | Record<string, AnyTRPCProcedure>> = {};
  for (const path of Object.keys(operatorProcedures) as OperatorPath[]) {
    const built = isPublic(path, deps.signIn)
      ? buildPublic(path, deps.signIn)
      : buildForwarded(path, deps.forward);
    const [group, name] = path.split('.') as [string, string?];
    if (name === undefined) record[group] = built;
    else
      record[group] = { ...(record[group] as Record<string, AnyTRPCProcedure> | undefined), [name]: built };
  }
  return router(record);
}

function isPublic(path: OperatorPath, signIn: SignInProcedures): path is keyof SignInProcedures {
  return path in signIn;
}

function buildPublic<Path extends keyof SignInProcedures>(
  path: Path,
  signIn: SignInProcedures,
): AnyTRPCProcedure {
  const { input: schema }: OperatorProcedure = operatorProcedures[path];
  const work = signIn[path] as (input: unknown, from: CallOrigin) => Promise<unknown>;
  return procedure
    .use(asAnyone())
    .input(schema)
    .mutation(({ ctx, input }) => ctx.signIn((from) => work(input, from)));
}

/**
 * Builds a forwarded procedure. Input is validated here, so that faults cost no call; the service validates it and the
 * role again.
 */
function buildForwarded(path: OperatorPath, forward: Forward): AnyTRPCProcedure {
  const { kind, role, input: schema }: OperatorProcedure = operatorProcedures[path];
  if (role === 'public') throw new Error(`${path}: it is open to all, and nothing here answers it`);
  const answer = async (input: unknown, ctx: Parameters<Forward>[2] & Pick<OperatorContext, 'language'>) =>
    localizeOutput(await forward(path, input, ctx), ctx.language);
  const guarded = signedInProcedure.use(asOperator(role)).input(schema);
  return kind === 'query'
    ? guarded.query(({ ctx, input }) => answer(input, ctx))
    : guarded.mutation(({ ctx, input }) => answer(input, ctx));
}
