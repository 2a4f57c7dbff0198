import { PassThrough } from 'node:stream';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process/errors';
import type { FastifyInstance } from 'fastify';
import type { Limit } from '../../http/rate-limits.ts';
import type { Peers } from '../../peers/peers.ts';
import type { IdentifyOperator } from '../identify-operator.ts';
import type { LiveFeed } from './live-feed.ts';

export interface LiveDeps {
  readonly intake: Pick<Peers['intake'], 'tokens.forCall'>;
  readonly feed: LiveFeed;
  readonly identify: IdentifyOperator;
  /** Limit for unauthenticated callers. */
  readonly limit: Limit | undefined;
  readonly pace?: Partial<LivePace>;
}

export interface LivePace {
  /** Interval for checking the operator's permission with intake. */
  readonly rightsMs: number;
  readonly heartbeatMs: number;
}

const defaultPace: LivePace = { rightsMs: 3_000, heartbeatMs: 15_000 };
/** Maximum streams per operator, for tabs and windows. */
const maxPerOperator = 4;
const maxStreams = 1_000;
/** Limit for a slow reader: its stream then ends, and the page reconnects. */
const maxBufferedBytes = 64 * 1024;
const retryAfterSeconds = 10;

/**
 * Serves `GET /live`: server-sent events (HTML Living Standard, 9.2) for an operator with a token. The stream ends with
 * the session, or with a permission that the operator loses. Events are hints without numbers: after a break nothing is
 * repeated, and the page reloads its data.
 */
export function serveLive(app: FastifyInstance, deps: LiveDeps): void {
  const open = new Map<PassThrough, string>();
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    for (const stream of open.keys()) stream.end();
    done();
  });
  app.get(
    '/live',
    {
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        request.caller = await deps.identify(request.headers.authorization);
        if (request.caller.kind === 'public') await deps.limit?.(request, reply);
      },
    },
    async (request, reply) => {
      const { caller } = request;
      if (caller.kind !== 'operator' || caller.sealedToken === undefined)
        throw new AppError({
          code: 'UNAUTHENTICATED',
          text: createText('access.operatorTokenRequired'),
        });
      const { sealedToken } = caller;
      const assertAllowed = () => assertStillOperator(deps, sealedToken);
      await assertAllowed();
      const openForOperator = [...open.values()].filter(
        (operatorId) => operatorId === caller.operatorId,
      ).length;
      if (openForOperator >= maxPerOperator) throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds });
      // A stream that opens after the others have ended would delay the stop until its deadline.
      if (isClosing || open.size >= maxStreams)
        throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds });
      const stream = new PassThrough();
      open.set(stream, caller.operatorId);
      const stop = follow(stream, { ...deps, assertAllowed, pace: { ...defaultPace, ...deps.pace } });
      stream.once('close', () => {
        open.delete(stream);
        stop();
      });
      // Prevents proxies from buffering the stream.
      reply.header('content-type', 'text/event-stream').header('x-accel-buffering', 'no');
      // A kept-alive connection would delay a stop that began before the stream ended.
      return reply.header('connection', 'close').send(stream);
    },
  );
}

/**
 * Checks the permission with intake each time, without a cache.
 * @throws AppError where a permission has ended, or intake does not answer
 */
async function assertStillOperator({ intake }: Pick<LiveDeps, 'intake'>, sealedToken: string): Promise<void> {
  await intake['tokens.forCall']({ sealedToken, receiver: 'notifier' });
}

interface FollowDeps {
  readonly feed: LiveFeed;
  readonly assertAllowed: () => Promise<void>;
  readonly pace: LivePace;
}

function follow(stream: PassThrough, { feed, assertAllowed, pace }: FollowDeps): () => void {
  const write = (text: string) => {
    if (stream.writableEnded) return;
    if (stream.writableLength > maxBufferedBytes) stream.destroy();
    else stream.write(text);
  };
  const stopListening = feed.listen(({ name, data }) =>
    write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
  );
  const heartbeat = setInterval(() => write(':\n\n'), pace.heartbeatMs);
  let timer: NodeJS.Timeout;
  const checkLater = () => {
    // Without a confirmed permission nothing more is sent: the page reconnects, and is admitted or not.
    const check = () => void assertAllowed().then(checkLater, () => stream.end());
    timer = setTimeout(check, pace.rightsMs);
  };
  checkLater();
  write('retry: 3000\n\n');
  return () => {
    stopListening();
    clearInterval(heartbeat);
    clearTimeout(timer);
  };
}
