import type { Caller } from '@rubrica/contracts/shared/caller';
import type { TRPCError } from '@trpc/server';
import { currentContext } from '../context/ambient-context.ts';
import { newTraceparent, parseTraceparent } from '../context/traceparent.ts';
import { AppError } from '../errors/app-error.ts';
import type { Keyring } from '../keyring/keyring.ts';
import type { Logger } from '../log/logger.ts';
import { uuidv7 } from '../time/uuidv7.ts';
import type { CallMetrics } from './call-metrics.ts';
import { toTrpcError } from './error-shape.ts';

/** What every procedure is given, before its service adds its own. */
export type BaseContext = {
  caller: Caller;
  requestId: string;
  traceparent?: string | undefined;
  /** Fires when the caller gave up, the deadline passed or the service stops. */
  signal: AbortSignal;
  /** Unix time in ms after which nobody waits for the answer. */
  deadlineAt?: number | undefined;
  logger: Logger;
  metrics?: CallMetrics | undefined;
};

/** A call as the bus hands it over. */
export type IncomingCall = {
  headers: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  deadlineAt?: number | undefined;
};

const requestIdShape = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * Makes the base context of a call from its headers. A call without a valid identity token is refused here,
 * so that no procedure ever sees an unknown caller.
 */
export function createCallContext(
  keyring: Pick<Keyring, 'verifyIdentity'>,
  logger: Logger,
  metrics?: CallMetrics,
): (call: IncomingCall) => Promise<BaseContext> {
  return async ({ headers, signal, deadlineAt }) => {
    const requestId = headers['x-request-id'];
    const traceparent = headers.traceparent;
    return {
      caller: await identify(headers.authorization, keyring),
      requestId: requestId !== undefined && requestIdShape.test(requestId) ? requestId : uuidv7(),
      traceparent: parseTraceparent(traceparent) ? traceparent : newTraceparent(),
      signal,
      deadlineAt,
      logger,
      metrics,
    };
  };
}

async function identify(
  authorization: string | undefined,
  keyring: Pick<Keyring, 'verifyIdentity'>,
): Promise<Caller> {
  if (!authorization?.startsWith('Bearer ')) throw unauthenticated();
  try {
    return await keyring.verifyIdentity(authorization.slice('Bearer '.length));
  } catch (error) {
    throw unauthenticated(error);
  }
}

/** As a `TRPCError`: no middleware runs before there is a context, so nothing else would give it its code. */
function unauthenticated(cause?: unknown): TRPCError {
  return toTrpcError(new AppError({ code: 'UNAUTHENTICATED', cause }));
}

/** Headers of a call to a peer: for whom it is made, and the request and trace of the work in hand. */
export function outgoingHeaders(
  keyring: Pick<Keyring, 'signIdentity'>,
  caller: Caller,
): Record<string, string> {
  const headers: Record<string, string> = { authorization: `Bearer ${keyring.signIdentity(caller)}` };
  const ambient = currentContext();
  if (!ambient) return headers;
  headers['x-request-id'] = ambient.requestId;
  if (ambient.traceparent !== undefined) headers.traceparent = ambient.traceparent;
  return headers;
}
