import { PassThrough } from 'node:stream';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process';
import type { FastifyInstance } from 'fastify';
import type { Limit } from '../../http/rate-limits.ts';
import type { Peers } from '../../peers/peers.ts';
import type { IdentifyOperator } from '../identify-operator.ts';
import type { LiveFeed } from './live-feed.ts';

export interface LiveDeps {
  readonly intake: Pick<Peers['intake'], 'tokens.forCall'>;
  readonly feed: LiveFeed;
  readonly identify: IdentifyOperator;
  /** Of callers who are not signed in. */
  readonly limit: Limit | undefined;
  readonly pace?: Partial<LivePace>;
}

export interface LivePace {
  /** How often intake is asked whether the operator may still look. */
  readonly rightsMs: number;
  readonly heartbeatMs: number;
}

const defaultPace: LivePace = { rightsMs: 3_000, heartbeatMs: 15_000 };
/** Tabs and windows of one operator. */
const mostPerOperator = 4;
const mostStreams = 1_000;
/** Of who does not read: then the stream ends, and the page begins anew. */
const mostBufferedBytes = 64 * 1024;
const retryAfterSeconds = 10;

/**
 * `GET /live`: what happens, as server-sent events (HTML Living Standard, 9.2), for an operator with a token. It ends with
 * the session, or with any right that the operator loses. Events are hints without numbers: after a break nothing is sent
 * again, and the page fetches what it shows.
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
      const isAllowed = () => isOperatorStill(deps, sealedToken);
      await isAllowed();
      const ofOperator = [...open.values()].filter((operatorId) => operatorId === caller.operatorId).length;
      if (ofOperator >= mostPerOperator) throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds });
      // A stream that opened after the others were ended would delay the stop until its deadline.
      if (isClosing || open.size >= mostStreams)
        throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds });
      const stream = new PassThrough();
      open.set(stream, caller.operatorId);
      const stop = follow(stream, { ...deps, isAllowed, pace: { ...defaultPace, ...deps.pace } });
      stream.once('close', () => {
        open.delete(stream);
        stop();
      });
      // Without this, proxies that buffer answers would never pass it on.
      reply.header('content-type', 'text/event-stream').header('x-accel-buffering', 'no');
      // A connection kept alive after the stream's end would delay a stop that began before.
      return reply.header('connection', 'close').send(stream);
    },
  );
}

/** Asked anew each time, and not remembered: @throws AppError where a right has ended, or nobody answers */
async function isOperatorStill({ intake }: Pick<LiveDeps, 'intake'>, sealedToken: string): Promise<void> {
  await intake['tokens.forCall']({ sealedToken, receiver: 'notifier' });
}

interface Following {
  readonly feed: LiveFeed;
  readonly isAllowed: () => Promise<void>;
  readonly pace: LivePace;
}

function follow(stream: PassThrough, { feed, isAllowed, pace }: Following): () => void {
  const write = (text: string) => {
    if (stream.writableEnded) return;
    if (stream.writableLength > mostBufferedBytes) stream.destroy();
    else stream.write(text);
  };
  const stopListening = feed.listen(({ name, data }) =>
    write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
  );
  const heartbeat = setInterval(() => write(':\n\n'), pace.heartbeatMs);
  let asking: NodeJS.Timeout;
  const askLater = () => {
    // Who cannot be asked about is not shown more: the page comes again, and is let in or not.
    const ask = () => void isAllowed().then(askLater, () => stream.end());
    asking = setTimeout(ask, pace.rightsMs);
  };
  askLater();
  write('retry: 3000\n\n');
  return () => {
    stopListening();
    clearInterval(heartbeat);
    clearTimeout(asking);
  };
}
