import type { Logger, Metrics } from '@rubrica/process';
import type { FastifyInstance } from 'fastify';

/** Duration and outcome of each call, by route; refused ones are logged. */
export function observeCalls(
  app: FastifyInstance,
  { logger, metrics }: { logger: Logger; metrics: Pick<Metrics, 'histogram'> },
): void {
  const durations = metrics.histogram({
    name: 'rubrica_http_duration_seconds',
    help: 'Time from the headers of a request to the end of its answer, by route and status',
    labels: ['route', 'method', 'status'],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const durationMs = performance.now() - request.call.startedAtMs;
    const route = request.routeOptions.url ?? 'none';
    // Callers may send any method: only those of known routes become labels.
    const method = route === 'none' ? 'none' : request.method;
    const { statusCode: status } = reply;
    durations.observe({ route, method, status }, durationMs / 1000);
    const partnerId = request.caller.kind === 'partner' ? request.caller.partnerId : undefined;
    const fields = { route, method, status, partnerId, durationMs: Math.round(durationMs) };
    if (status >= 400) logger.info(fields, 'a call was refused');
    else logger.debug(fields, 'a call was answered');
    done();
  });
}
