import { type Database, isDatabaseUnavailable } from '@rubrica/database';
import { AppError, type BaseContext, type Clock, createServiceTrpc } from '@rubrica/service';

/** What the use cases of this service are given. */
export interface TermsDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** A new UUID v7. */
  readonly newId: () => string;
}

export type TermsContext = BaseContext & TermsDeps;

const trpc = createServiceTrpc<TermsContext>();

export const { router, asAnyone, asOperator } = trpc;

/** While PostgreSQL is away callers are told to come back, not that something unexpected happened. */
export const procedure = trpc.procedure.use(async ({ next }) => {
  const result = await next();
  if (result.ok || !isDatabaseUnavailable(result.error.cause)) return result;
  throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause: result.error.cause, retryAfterSeconds: 2 });
});
