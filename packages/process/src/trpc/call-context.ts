import type { Caller, VouchedCaller } from '@rubrica/contracts/shared/caller';
import { type ServiceName, serviceSchema } from '@rubrica/contracts/shared/enumerations';
import type { TRPCError } from '@trpc/server';
import { currentContext } from '../context/ambient-context.ts';
import { continuedTrace } from '../context/traceparent.ts';
import { AppError } from '../errors/app-error.ts';
import { toAppError } from '../errors/to-app-error.ts';
import { KeyringError } from '../keyring/keyring-error.ts';
import type { Logger } from '../log/logger.ts';
import { uuidv7 } from '../time/uuidv7.ts';
import type { CallMetrics } from './call-metrics.ts';
import { toTrpcError } from './error-shape.ts';

/** What every procedure is given, before its service adds its own. */
export type BaseContext = {
  /** The service that calls, as the bus vouches for it. */
  peer: ServiceName;
  /** For whom it calls; itself where it names nobody. */
  caller: Caller;
  /** The token that says so, once it has been checked: for who has to show on whose word it acts. At the gateway sealed to intake. */
  token?: string | undefined;
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
  /** The bus user that calls, by the subject. */
  caller: string | undefined;
  headers: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  deadlineAt?: number | undefined;
};

/**
 * Whom a token speaks for that this service shows.
 * @throws KeyringError for a token that is not to be believed, AppError where it cannot be judged or its rights have ended
 */
export type Identify = (token: string, peer: ServiceName) => Promise<VouchedCaller> | VouchedCaller;

const bearer = 'Bearer ';
const requestIdShape = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * Makes the base context of a call. Which service calls is known by the subject; for whom, by a token that `identify`
 * believes of it. Anything else is refused here, so that no procedure ever sees an unknown caller.
 */
export function createCallContext(
  identify: Identify,
  logger: Logger,
  metrics?: CallMetrics,
): (call: IncomingCall) => Promise<BaseContext> {
  return async ({ caller, headers, signal, deadlineAt }) => {
    const peer = serviceSchema.safeParse(caller).data;
    if (peer === undefined) throw unauthenticated();
    const requestId = headers['x-request-id'];
    return {
      peer,
      caller: await callerOf(headers.authorization, { peer, identify }),
      token: headers.authorization?.slice(bearer.length),
      requestId: requestId !== undefined && requestIdShape.test(requestId) ? requestId : uuidv7(),
      traceparent: continuedTrace(headers.traceparent),
      signal,
      deadlineAt,
      logger,
      metrics,
    };
  };
}

async function callerOf(
  authorization: string | undefined,
  { peer, identify }: { peer: ServiceName; identify: Identify },
): Promise<Caller> {
  if (authorization === undefined) return { kind: 'service', name: peer };
  if (!authorization.startsWith(bearer)) throw unauthenticated();
  try {
    return await identify(authorization.slice(bearer.length), peer);
  } catch (error) {
    if (error instanceof KeyringError) throw unauthenticated(error);
    // The clock is not known yet, or no row can be read: nothing is wrong with the token.
    throw toTrpcError(toAppError(error));
  }
}

/** As a `TRPCError`: no middleware runs before there is a context, so nothing else would give it its code. */
function unauthenticated(cause?: unknown): TRPCError {
  return toTrpcError(new AppError({ code: 'UNAUTHENTICATED', cause }));
}

/** Headers of a call to a peer: the token of whom it is made for, if not for the service itself, and the request and trace of the work in hand. */
export function outgoingHeaders(
  token?: string,
  traceparent: string | undefined = currentContext()?.traceparent,
): Record<string, string> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `${bearer}${token}` };
  const requestId = currentContext()?.requestId;
  if (requestId !== undefined) headers['x-request-id'] = requestId;
  if (traceparent !== undefined) headers.traceparent = traceparent;
  return headers;
}
