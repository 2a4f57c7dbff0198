import type { Caller, VouchedCaller } from '@rubrica/contracts/shared/caller';
import { type ServiceName, serviceSchema } from '@rubrica/contracts/shared/enumerations';
import type { TRPCError } from '@trpc/server';
import { currentContext } from '../context/ambient-context.ts';
import { continueTrace } from '../context/traceparent.ts';
import { AppError } from '../errors/app-error.ts';
import { toAppError } from '../errors/to-app-error.ts';
import { KeyringError } from '../keyring/keyring-error.ts';
import type { Logger } from '../log/logger.ts';
import { uuidv7 } from '../time/uuidv7.ts';
import type { CallMetrics } from './call-metrics.ts';
import { toTrpcError } from './error-shape.ts';

/** Context of every procedure, before its service adds its own. */
export type BaseContext = {
  /** Calling service, authenticated by the bus. */
  peer: ServiceName;
  /** Principal of the call; the service itself if it names nobody. */
  caller: Caller;
  /**
   * Verified token of that principal, for procedures that must prove on whose behalf they act. At the gateway it is
   * sealed to intake.
   */
  token?: string | undefined;
  requestId: string;
  traceparent?: string | undefined;
  /** Fires when the caller has given up, the deadline has passed or the service stops. */
  signal: AbortSignal;
  /** Unix time in ms after which no caller waits for the answer. */
  deadlineAt?: number | undefined;
  logger: Logger;
  metrics?: CallMetrics | undefined;
};

/** Call as the bus delivers it. */
export type IncomingCall = {
  /** Bus user that calls, according to the subject. */
  caller: string | undefined;
  headers: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  deadlineAt?: number | undefined;
};

/**
 * Identifies the principal of a token that this service presents.
 * @throws KeyringError for an invalid token, AppError if it cannot be checked or its rights have ended
 */
export type Identify = (token: string, peer: ServiceName) => Promise<VouchedCaller> | VouchedCaller;

const bearer = 'Bearer ';
const requestIdShape = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * Creates the base context of a call. The subject identifies the calling service; a token that `identify` accepts
 * identifies the principal. Anything else is refused here, so that no procedure ever sees an unknown caller.
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
      caller: await identifyCaller(headers.authorization, { peer, identify }),
      token: headers.authorization?.slice(bearer.length),
      requestId: requestId !== undefined && requestIdShape.test(requestId) ? requestId : uuidv7(),
      traceparent: continueTrace(headers.traceparent),
      signal,
      deadlineAt,
      logger,
      metrics,
    };
  };
}

async function identifyCaller(
  authorization: string | undefined,
  { peer, identify }: { peer: ServiceName; identify: Identify },
): Promise<Caller> {
  if (authorization === undefined) return { kind: 'service', name: peer };
  if (!authorization.startsWith(bearer)) throw unauthenticated();
  try {
    return await identify(authorization.slice(bearer.length), peer);
  } catch (error) {
    if (error instanceof KeyringError) throw unauthenticated(error);
    // The clock is not known yet, or no row can be read: the token itself may be valid.
    throw toTrpcError(toAppError(error));
  }
}

/**
 * Creates the refusal as a `TRPCError`: no middleware runs before there is a context, so nothing else would set its
 * code.
 */
function unauthenticated(cause?: unknown): TRPCError {
  return toTrpcError(new AppError({ code: 'UNAUTHENTICATED', cause }));
}

/**
 * Builds the headers of a call to a peer: the token of its principal, unless it is the service itself, and request and
 * trace of the current work.
 */
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
