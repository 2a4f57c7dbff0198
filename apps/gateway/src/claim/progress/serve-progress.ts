import { PassThrough } from 'node:stream';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { AppError, createNetworkCounts, listNetworks } from '@rubrica/process';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Limit } from '../../http/rate-limits.ts';
import type { CertificateSignals } from '../../peers/certificate-signals.ts';
import { assertToken } from '../claim-link.ts';
import type { LinkFlow } from '../link-flow.ts';
import type { LinkName } from '../types.ts';
import { type Pace, type Progress, toProgress, watchState } from './watch-state.ts';

export interface ProgressDeps {
  readonly flows: Readonly<Record<LinkName, Pick<LinkFlow, 'view'>>>;
  readonly signals: CertificateSignals;
  readonly limit: Limit | undefined;
  /** Streams open at once in this copy; a page that gets none reloads now and then. */
  readonly maxStreams: number;
  readonly pace?: Partial<Pace>;
}

/** Tabs of one applicant; more would take the place of other applicants. */
const maxPerLink = 4;

/** Of the streams of all, for one address; a small office has enough in any case. */
const addressParts = 16;
const leastPerAddress = 16;

const retryAfterSeconds = 10;

const defaultPace: Pace = {
  lookMs: 10_000,
  afterSignalMs: 400,
  looksAfterSignal: 10,
  heartbeatMs: 20_000,
  lifeMs: 10 * MINUTE_MS,
};

/** `GET /claim/{token}/progress` and `GET /renew/{token}/progress`: the link's state, and nothing else, as server-sent events. */
export function serveProgress(app: FastifyInstance, deps: ProgressDeps): void {
  const { flows, signals, limit, maxStreams } = deps;
  const maxPerAddress = Math.max(leastPerAddress, Math.floor(maxStreams / addressParts));
  const open = new Map<PassThrough, { readonly link: string }>();
  const counts = createNetworkCounts();
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    for (const stream of open.keys()) stream.end();
    done();
  });
  const watch =
    (flow: Pick<LinkFlow, 'view'>) =>
    async (request: FastifyRequest<{ Params: { token: string } }>, reply: FastifyReply) => {
      const token = assertToken(request.params.token);
      const view = await flow.view(token);
      const networks = listNetworks(request.ip);
      const ofLink = count(open.values(), (one) => one.link === token);
      if (counts.load(networks) >= maxPerAddress)
        throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds });
      // A stream that opened after the others were ended would delay the stop until its deadline.
      if (isClosing || open.size >= maxStreams || ofLink >= maxPerLink) {
        throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds });
      }
      const stream = new PassThrough();
      open.set(stream, { link: token });
      counts.add(networks, 1);
      const stop = watchState({
        first: toProgress(view),
        look: () => lookAt(flow, token),
        listen: (onSignal) => signals.listen(view.requestId, onSignal),
        write: (text) => void stream.write(text),
        end: () => void stream.end(),
        pace: { ...defaultPace, ...deps.pace },
      });
      stream.once('close', () => {
        open.delete(stream);
        counts.add(networks, -1);
        stop();
      });
      // Without this, proxies that buffer answers would never pass it on.
      reply.header('content-type', 'text/event-stream').header('x-accel-buffering', 'no');
      // A connection kept alive after the stream's end would delay a stop that began before.
      reply.header('connection', 'close');
      return reply.send(stream);
    };
  const options = { exposeHeadRoute: false, ...(limit === undefined ? {} : { onRequest: limit }) };
  app.get<{ Params: { token: string } }>('/claim/:token/progress', options, watch(flows.claim));
  app.get<{ Params: { token: string } }>('/renew/:token/progress', options, watch(flows.renew));
}

function count<Item>(items: Iterable<Item>, isCounted: (item: Item) => boolean): number {
  return [...items].filter(isCounted).length;
}

/** A link that has died shows as ended: the page loads anew and says why. @throws AppError where nobody can say */
async function lookAt(flow: Pick<LinkFlow, 'view'>, token: string): Promise<Progress> {
  try {
    return toProgress(await flow.view(token));
  } catch (error) {
    if (error instanceof AppError && errorCatalogue[error.code].http < 429) return 'ENDED';
    throw error;
  }
}
