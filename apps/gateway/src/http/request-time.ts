import { announcesBody } from '@rubrica/process/http';
import type { FastifyInstance } from 'fastify';

/**
 * Ends requests whose bodies do not arrive in time, like Node's own `requestTimeout`, which has no exceptions; a batch
 * is exempt.
 */
export function limitRequestTime(app: FastifyInstance, timeoutMs: number): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    if (request.routeOptions.config.takesItsTime || !announcesBody(raw)) return done();
    const timer = setTimeout(() => {
      if (!raw.complete) app.server.emit('clientError', createTimeoutError(), raw.socket);
    }, timeoutMs);
    timer.unref();
    raw.once('end', () => clearTimeout(timer));
    raw.once('close', () => clearTimeout(timer));
    done();
  });
}

function createTimeoutError(): Error {
  return Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}
