import { PassThrough } from 'node:stream';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { createNetworkCounts } from '@rubrica/process/bodies';
import { AppError } from '@rubrica/process/errors';
import { listNetworks } from '@rubrica/process/networks';
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
  /** Maximum concurrent streams in this copy; a page without one reloads periodically. */
  readonly maxStreams: number;
  readonly pace?: Partial<Pace>;
}

/** Maximum streams per link, for tabs of one applicant; more would take capacity from others. */
const maxPerLink = 4;

/** Share of all streams for one address; a small office always has enough. */
const addressShares = 16;
const minPerAddress = 16;

const retryAfterSeconds = 10;

const defaultPace: Pace = {
  lookMs: 10_000,
  afterSignalMs: 400,
  looksAfterSignal: 10,
  heartbeatMs: 20_000,
  lifeMs: 10 * MINUTE_MS,
};

/**
 * Serves `GET /claim/{token}/progress` and `GET /renew/{token}/progress`: only the link's state, as server-sent events.
 */
export function serveProgress(app: FastifyInstance, deps: ProgressDeps): void {
  const { flows, signals, limit, maxStreams } = deps;
  const maxPerAddress = Math.max(minPerAddress, Math.floor(maxStreams / addressShares));
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
      const openForLink = countMatches(open.values(), (stream) => stream.link === token);
      if (counts.load(networks) >= maxPerAddress)
        throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds });
      // A stream that opens after the others have ended would delay the stop until its deadline.
      if (isClosing || open.size >= maxStreams || openForLink >= maxPerLink) {
        throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds });
      }
      const stream = new PassThrough();
      open.set(stream, { link: token });
      counts.add(networks, 1);
      const stop = watchState({
        first: toProgress(view),
        look: () => readProgress(flow, token),
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
      // Prevents proxies from buffering the stream.
      reply.header('content-type', 'text/event-stream').header('x-accel-buffering', 'no');
      // A kept-alive connection would delay a stop that began before the stream ended.
      reply.header('connection', 'close');
      return reply.send(stream);
    };
  const options = { exposeHeadRoute: false, ...(limit === undefined ? {} : { onRequest: limit }) };
  app.get<{ Params: { token: string } }>('/claim/:token/progress', options, watch(flows.claim));
  app.get<{ Params: { token: string } }>('/renew/:token/progress', options, watch(flows.renew));
}

function countMatches<Item>(items: Iterable<Item>, isCounted: (item: Item) => boolean): number {
  return [...items].filter(isCounted).length;
}

/**
 * Reads the state. An invalid link shows as ended: the page reloads and shows why.
 * @throws AppError where the state is unavailable
 */
async function readProgress(flow: Pick<LinkFlow, 'view'>, token: string): Promise<Progress> {
  try {
    return toProgress(await flow.view(token));
  } catch (error) {
    if (error instanceof AppError && errorCatalogue[error.code].http < 429) return 'ENDED';
    throw error;
  }
}
