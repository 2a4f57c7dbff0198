import type { Database } from '@rubrica/database';
import { type BaseContext, createServiceTrpc, type Keyring } from '@rubrica/process';
import { orUnavailable } from '@rubrica/wiring/database';
import type { PingCall, PingResult } from './destinations/call-destination.ts';

/** What the procedures of this service are given. */
export interface NotifierDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  /** Wakes the queue after a resend, so that an operator does not wait for the next poll. */
  nudgeDeliveries(): void;
  nudgeMessages(): void;
  nudgeNotices(): void;
  /** One call to a partner's receiver that means nothing. @throws AppError when it cannot be signed */
  ping(call: PingCall): Promise<PingResult>;
}

export type NotifierContext = BaseContext & NotifierDeps;

const trpc = createServiceTrpc<NotifierContext>();

export const { router, asOperator, asService, createCallerFactory } = trpc;

export const procedure = trpc.procedure.use(async ({ next }) => orUnavailable(await next()));
