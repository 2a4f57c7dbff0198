import { type Database, isDatabaseUnavailable } from '@rubrica/database';
import { AppError, type BaseContext, type Clock, createServiceTrpc, type Keyring } from '@rubrica/service';
import type { Issuers } from './issuers/issuer.ts';

/** What the procedures' use cases are given. */
export interface GenerationDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly issuers: Issuers;
  readonly clock: Clock;
}

export type GenerationContext = BaseContext & GenerationDeps;

const trpc = createServiceTrpc<GenerationContext>();

export const { router, asAnyone, asOperator, asService } = trpc;

/** While PostgreSQL is away callers are told to come back, not that something unexpected happened. */
export const procedure = trpc.procedure.use(async ({ next }) => {
  const result = await next();
  if (result.ok || !isDatabaseUnavailable(result.error.cause)) return result;
  throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause: result.error.cause, retryAfterSeconds: 2 });
});
