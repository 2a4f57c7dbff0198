import { createText } from '@rubrica/contracts/error-texts/create-text';
import {
  AppError,
  type CountedNetwork,
  createNetworkCounts,
  type Logger,
  listNetworks,
  type Pace,
} from '@rubrica/process';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { IsSurplus } from './connections.ts';

export interface OpenCallLimits {
  /** Calls of one address that are not answered yet; 0 for no limit. */
  readonly maxPerAddress: number;
  readonly isSurplus: IsSurplus;
  readonly pace: Pace;
  readonly logger: Logger;
}

interface OpenCall {
  readonly reply: FastifyReply;
  /** Undefined where the call is not counted. */
  readonly networks: readonly CountedNetwork[] | undefined;
  /** When its answer was first seen waiting for the reader. */
  waitingSinceMs: number | undefined;
}

const retryAfterSeconds = 5;

/**
 * Refuses calls of an address that has too many connections or unanswered calls, and ends connections whose other side
 * does not read its answer, which would stay in memory.
 */
export function limitOpenCalls(
  app: FastifyInstance,
  { maxPerAddress, isSurplus, pace, logger }: OpenCallLimits,
): void {
  const open = new Set<OpenCall>();
  const counts = createNetworkCounts();
  const end = (call: OpenCall) => {
    if (open.delete(call) && call.networks !== undefined) counts.add(call.networks, -1);
  };
  const begin = (reply: FastifyReply, networks: OpenCall['networks']) => {
    const call = { reply, networks, waitingSinceMs: undefined };
    open.add(call);
    if (networks !== undefined) counts.add(networks, 1);
    reply.raw.once('close', () => end(call));
  };
  app.addHook('onRequest', (request, reply, done) => {
    const networks = listNetworks(request.ip);
    const hasTooManyConnections = isSurplus(request.raw.socket);
    const hasTooManyCalls = maxPerAddress > 0 && counts.load(networks) >= maxPerAddress;
    const isRefused = hasTooManyConnections || hasTooManyCalls;
    begin(reply, isRefused ? undefined : networks);
    if (!isRefused) return done();
    if (hasTooManyConnections) reply.header('connection', 'close');
    const text = hasTooManyConnections
      ? createText('call.connectionsTooMany')
      : createText('call.unansweredTooMany');
    done(new AppError({ code: 'RATE_LIMITED', text, retryAfterSeconds }));
  });
  const look = () => {
    for (const call of open) {
      const { request } = call.reply;
      const { socket } = request.raw;
      if (socket.destroyed || !isUnread(call, pace)) continue;
      socket.destroy();
      logger.info({ route: request.routeOptions.url }, 'a connection ended: its answers are not read');
    }
  };
  const timer = setInterval(look, pace.windowMs / 2);
  timer.unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
}

/** An answer may take the pace's time, and what its bytes take at the slowest rate. A stream counts from its end. */
function isUnread(call: OpenCall, { windowMs, bytesPerSecond }: Pace): boolean {
  const { raw, request } = call.reply;
  if (request.routeOptions.config?.takesItsTime) return false;
  // Behind another answer on its connection it has no socket yet, and waits for that one.
  if (!raw.writableEnded || raw.socket === null) return false;
  const nowMs = performance.now();
  call.waitingSinceMs ??= nowMs;
  const bytes = Number(raw.getHeader('content-length') ?? 0);
  return nowMs - call.waitingSinceMs > windowMs + (bytes / bytesPerSecond) * 1000;
}
