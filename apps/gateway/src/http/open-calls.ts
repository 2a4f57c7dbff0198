import { createText } from '@rubrica/contracts/error-texts/create-text';
import { createNetworkCounts, type Pace } from '@rubrica/process/bodies';
import { AppError } from '@rubrica/process/errors';
import type { Logger } from '@rubrica/process/log';
import { type CountedNetwork, listNetworks } from '@rubrica/process/networks';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { IsSurplus } from './connections.ts';

export interface OpenCallLimits {
  /** Maximum unanswered calls of one address; 0 for no limit. */
  readonly maxPerAddress: number;
  readonly isSurplus: IsSurplus;
  readonly pace: Pace;
  readonly logger: Logger;
}

interface OpenCall {
  readonly reply: FastifyReply;
  /** Undefined where the call is not counted. */
  readonly networks: readonly CountedNetwork[] | undefined;
  /** Time at which its answer was first seen waiting for the reader. */
  waitingSinceMs: number | undefined;
}

const retryAfterSeconds = 5;

/**
 * Refuses calls of an address with too many connections or unanswered calls. Closes connections whose other side does
 * not read its answer, which would stay in memory.
 */
export function limitOpenCalls(
  app: FastifyInstance,
  { maxPerAddress, isSurplus, pace, logger }: OpenCallLimits,
): void {
  const open = new Set<OpenCall>();
  const counts = createNetworkCounts();
  const removeCall = (call: OpenCall) => {
    if (open.delete(call) && call.networks !== undefined) counts.add(call.networks, -1);
  };
  const addCall = (reply: FastifyReply, networks: OpenCall['networks']) => {
    const call = { reply, networks, waitingSinceMs: undefined };
    open.add(call);
    if (networks !== undefined) counts.add(networks, 1);
    reply.raw.once('close', () => removeCall(call));
  };
  app.addHook('onRequest', (request, reply, done) => {
    const networks = listNetworks(request.ip);
    const hasTooManyConnections = isSurplus(request.raw.socket);
    const hasTooManyCalls = maxPerAddress > 0 && counts.load(networks) >= maxPerAddress;
    const isRefused = hasTooManyConnections || hasTooManyCalls;
    addCall(reply, isRefused ? undefined : networks);
    if (!isRefused) return done();
    if (hasTooManyConnections) reply.header('connection', 'close');
    const text = hasTooManyConnections
      ? createText('call.connectionsTooMany')
      : createText('call.unansweredTooMany');
    done(new AppError({ code: 'RATE_LIMITED', text, retryAfterSeconds }));
  });
  const closeUnread = () => {
    for (const call of open) {
      const { request } = call.reply;
      const { socket } = request.raw;
      if (socket.destroyed || !isUnread(call, pace)) continue;
      socket.destroy();
      logger.info({ route: request.routeOptions.url }, 'connection closed: answer not read');
    }
  };
  const timer = setInterval(closeUnread, pace.windowMs / 2);
  timer.unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
}

/**
 * Returns whether an answer is unread. The reader has the pace's time plus that of its bytes at the minimum rate. A
 * stream counts from its end.
 */
function isUnread(call: OpenCall, { windowMs, bytesPerSecond }: Pace): boolean {
  const { raw, request } = call.reply;
  if (request.routeOptions.config?.takesItsTime) return false;
  // An answer behind another on its connection has no socket yet and waits for that one.
  if (!raw.writableEnded || raw.socket === null) return false;
  const nowMs = performance.now();
  call.waitingSinceMs ??= nowMs;
  const bytes = Number(raw.getHeader('content-length') ?? 0);
  return nowMs - call.waitingSinceMs > windowMs + (bytes / bytesPerSecond) * 1000;
}
