import type { Scope } from '@rubrica/contracts/shared/enumerations';
import { type BaseContext, createServiceTrpc } from '@rubrica/process';
import { orUnavailable } from '@rubrica/wiring/database';
import type { Dependencies } from './dependencies.ts';

export type IntakeContext = Omit<BaseContext, 'logger'> & Dependencies;

const trpc = createServiceTrpc<IntakeContext>();

export const { router, asOperator, asService } = trpc;

export const procedure = trpc.procedure.use(async ({ next }) => orUnavailable(await next()));

/**
 * For partners with this scope. Their access tokens outlive a partner that was switched off, so that is asked
 * here, of a directory at most a few seconds old.
 */
export const partnerProcedure = (scope: Scope) =>
  procedure.use(trpc.asPartner(scope)).use(async ({ ctx, next }) => {
    await ctx.partners.get(ctx.caller.partnerId);
    return next();
  });
