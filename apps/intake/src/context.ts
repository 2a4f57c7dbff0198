import { isDatabaseUnavailable } from '@rubrica/database';
import { AppError, type BaseContext, createServiceTrpc } from '@rubrica/service';
import type { Dependencies } from './dependencies.ts';

export type IntakeContext = Omit<BaseContext, 'logger'> & Dependencies;

const trpc = createServiceTrpc<IntakeContext>();

export const { router, asOperator, asPartner, asService } = trpc;

/** While PostgreSQL is away callers are told to come back, not that something unexpected happened. */
export const procedure = trpc.procedure.use(async ({ next }) => {
  const result = await next();
  if (result.ok || !isDatabaseUnavailable(result.error.cause)) return result;
  throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause: result.error.cause, retryAfterSeconds: 2 });
});
