import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { selectBrowserHeaders } from './gateway/passed-headers.ts';
import { type GatewayRoutesDeps, sendToGateway, toBrowserStatus } from './gateway/send-to-gateway.ts';
import { sendRefusal, unauthenticated } from './trpc-refusal.ts';

/**
 * Serves the gateway's stream of events, as the operator. However it ends, the browser sees a normal end instead of a
 * logged failure, and reconnects.
 */
export function serveLive(app: FastifyInstance, deps: Pick<GatewayRoutesDeps, 'gateway' | 'callers'>): void {
  const open = new Set<PassThrough>();
  app.addHook('preClose', (done) => {
    // An open stream would delay the stop until its deadline.
    for (const stream of open) stream.end();
    done();
  });
  app.get('/live', async (request, reply) => {
    const session = await deps.callers.sessionOf(request, reply);
    if (session === undefined)
      return sendRefusal(reply, { ...unauthenticated, status: toBrowserStatus(request, 401) });
    const answer = await sendToGateway(request, session, deps);
    if (answer.status === 401) {
      answer.body.destroy();
      deps.callers.end(reply);
      return sendRefusal(reply, { ...unauthenticated, status: toBrowserStatus(request, 401) });
    }
    const stream = copyStream(answer.body);
    open.add(stream);
    stream.once('close', () => open.delete(stream));
    return reply
      .code(toBrowserStatus(request, answer.status))
      .headers({ ...selectBrowserHeaders(answer.headers), 'x-accel-buffering': 'no', connection: 'close' })
      .send(stream);
  });
}

/** Copies the stream; the copy ends normally where `body` ends or breaks. */
function copyStream(body: Readable): PassThrough {
  const stream = new PassThrough();
  const end = () => {
    body.unpipe(stream);
    stream.end();
  };
  body.once('error', end).once('close', end);
  stream.once('close', () => body.destroy());
  return body.pipe(stream);
}
