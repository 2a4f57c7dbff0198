import { PassThrough } from 'node:stream';
import { AppError } from '@rubrica/process';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Limit } from '../../http/rate-limits.ts';
import type { CertificateSignals } from '../../peers/certificate-signals.ts';
import { sha256OfToken } from '../claim-link.ts';
import type { LinkFlow } from '../link-flow.ts';
import { type Pace, watchState } from './watch-state.ts';

export interface ProgressDeps {
  readonly flow: Pick<LinkFlow, 'view'>;
  readonly signals: CertificateSignals;
  readonly limit: Limit | undefined;
  /** Streams open at once in this copy; a page that gets none reloads now and then. */
  readonly maxStreams: number;
  readonly pace?: Partial<Pace>;
}

/** Tabs of one holder; more of them would only take the place of others. */
const maxPerLink = 4;

const defaultPace: Pace = {
  lookMs: 10_000,
  afterSignalMs: 400,
  looksAfterSignal: 10,
  heartbeatMs: 20_000,
  lifeMs: 10 * 60_000,
};

/** `GET /claim/{token}/progress`: the link's state as server-sent events, the word and nothing else. */
export function serveProgress(app: FastifyInstance, deps: ProgressDeps): void {
  const { flow, signals, limit, maxStreams } = deps;
  const open = new Map<PassThrough, string>();
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    for (const stream of open.keys()) stream.end();
    done();
  });
  app.get(
    '/claim/:token/progress',
    { exposeHeadRoute: false, ...(limit === undefined ? {} : { onRequest: limit }) },
    async (request: FastifyRequest<{ Params: { token: string } }>, reply) => {
      const token = sha256OfToken(request.params.token);
      const view = await flow.view(token);
      const ofLink = [...open.values()].filter((one) => one === token).length;
      // One that opened after the others were ended would hold up the stop until its deadline.
      if (isClosing || open.size >= maxStreams || ofLink >= maxPerLink) {
        throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 10 });
      }
      const stream = new PassThrough();
      open.set(stream, token);
      const stop = watchState({
        first: view.state,
        look: async () => (await flow.view(token)).state,
        listen: (hear) => signals.listen(view.requestId, hear),
        write: (text) => void stream.write(text),
        end: () => void stream.end(),
        pace: { ...defaultPace, ...deps.pace },
      });
      stream.once('close', () => {
        open.delete(stream);
        stop();
      });
      // Proxies that collect an answer before they pass it on would hold ours back for good.
      reply.header('content-type', 'text/event-stream').header('x-accel-buffering', 'no');
      // Kept alive after the stream's end, the connection would hold up a stop that began before it.
      reply.header('connection', 'close');
      return reply.send(stream);
    },
  );
}
