import { type Database, isDatabaseUnavailable } from '@rubrica/database';
import { AppError, type BaseContext, createServiceTrpc } from '@rubrica/service';

/** What the procedures of this service are given. */
export type NotifierDeps = {
  database: Database;
  /** Wakes the engine after a resend, so that an operator does not wait for the next poll. */
  nudgeDeliveries(): void;
  nudgeMessages(): void;
};

export type NotifierContext = BaseContext & NotifierDeps;

const trpc = createServiceTrpc<NotifierContext>();

export const { router, asOperator, createCallerFactory } = trpc;

/** While PostgreSQL is away callers are told to come back, not that something unexpected happened. */
export const procedure = trpc.procedure.use(async ({ next }) => {
  const result = await next();
  if (result.ok || !isDatabaseUnavailable(result.error.cause)) return result;
  throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause: result.error.cause, retryAfterSeconds: 2 });
});
