import type { FastifyInstance } from 'fastify';
import { announcesBody } from './read-on.ts';

/**
 * Ends requests whose bodies do not arrive in time, as Node's own `requestTimeout` does; that one knows no exceptions, and
 * a batch has none to keep.
 */
export function limitRequestTime(app: FastifyInstance, timeoutMs: number): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    if (request.routeOptions.config.takesItsTime || !announcesBody(raw)) return done();
    const timer = setTimeout(() => {
      if (!raw.complete) app.server.emit('clientError', tooLate(), raw.socket);
    }, timeoutMs);
    timer.unref();
    raw.once('end', () => clearTimeout(timer));
    raw.once('close', () => clearTimeout(timer));
    done();
  });
}

function tooLate(): Error {
  return Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}
