import type { Caller } from '@rubrica/contracts/shared/caller';
import { type ServiceName, serviceSchema } from '@rubrica/contracts/shared/enumerations';
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
  /** The service that calls, as the bus vouches for it. */
  peer: ServiceName;
  /** For whom it calls; itself where it names nobody. */
  caller: Caller;
  /** The token that says so, once it has been checked: for who has to show on whose word it acts. */
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

const bearer = 'Bearer ';
const requestIdShape = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * Makes the base context of a call. Which service calls is known by the subject; for whom, by a token that this very
 * service has signed. Anything else is refused here, so that no procedure ever sees an unknown caller.
 */
export function createCallContext(
  keyring: Pick<Keyring, 'verifyIdentity'>,
  logger: Logger,
  metrics?: CallMetrics,
): (call: IncomingCall) => Promise<BaseContext> {
  return async ({ caller, headers, signal, deadlineAt }) => {
    const peer = serviceSchema.safeParse(caller).data;
    if (peer === undefined) throw unauthenticated();
    const requestId = headers['x-request-id'];
    const traceparent = headers.traceparent;
    return {
      peer,
      caller: await identify(headers.authorization, { peer, keyring }),
      token: headers.authorization?.slice(bearer.length),
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
  { peer, keyring }: { peer: ServiceName; keyring: Pick<Keyring, 'verifyIdentity'> },
): Promise<Caller> {
  if (authorization === undefined) return { kind: 'service', name: peer };
  if (!authorization.startsWith(bearer)) throw unauthenticated();
  try {
    return await keyring.verifyIdentity(authorization.slice(bearer.length), peer);
  } catch (error) {
    // The clock is not known yet: nothing is wrong with the token.
    if (error instanceof AppError) throw toTrpcError(error);
    throw unauthenticated(error);
  }
}

/** As a `TRPCError`: no middleware runs before there is a context, so nothing else would give it its code. */
function unauthenticated(cause?: unknown): TRPCError {
  return toTrpcError(new AppError({ code: 'UNAUTHENTICATED', cause }));
}

/** Headers of a call to a peer: for whom it is made, if not for the service itself, and the request and trace of the work in hand. */
export function outgoingHeaders(
  keyring: Pick<Keyring, 'signIdentity'>,
  caller: Caller,
): Record<string, string> {
  const headers: Record<string, string> =
    caller.kind === 'service' || caller.kind === 'public'
      ? {}
      : { authorization: `Bearer ${keyring.signIdentity(caller)}` };
  const ambient = currentContext();
  if (!ambient) return headers;
  headers['x-request-id'] = ambient.requestId;
  if (ambient.traceparent !== undefined) headers.traceparent = ambient.traceparent;
  return headers;
}
