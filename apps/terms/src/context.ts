import type { Database } from '@rubrica/database';
import { type BaseContext, type Clock, createServiceTrpc, type Keyring } from '@rubrica/process';
import { orUnavailable } from '@rubrica/wiring/database';

/** What the use cases of this service are given. */
export interface TermsDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** A new UUID v7. */
  readonly newId: () => string;
}

export type TermsContext = BaseContext & TermsDeps;

const trpc = createServiceTrpc<TermsContext>();

export const { router, asAnyone, asOperator } = trpc;

export const procedure = trpc.procedure.use(async ({ next }) => orUnavailable(await next()));
