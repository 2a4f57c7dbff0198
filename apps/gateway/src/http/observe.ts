import { withContext } from '@rubrica/process/context';
import type { Logger } from '@rubrica/process/log';
import { type Metrics, metric } from '@rubrica/process/metrics';
import type { FastifyInstance } from 'fastify';

/** Kinds of callers by the prefix of a route; all others are partners. */
const doors: readonly (readonly [prefix: string, door: string])[] = [
  ['/trpc', 'operators'],
  ['/live', 'operators'],
  ['/reports/', 'operators'],
  ['/review/', 'operators'],
  ['/auth/oidc/', 'operators'],
  ['/claim', 'applicants'],
  ['/renew', 'applicants'],
  ['/liveness', 'applicants'],
  ['/revoke', 'applicants'],
  ['/pki/', 'relying parties'],
  ['/docs', 'documents'],
  ['/openapi.json', 'documents'],
  ['/.well-known/', 'documents'],
  ['/livez', 'health'],
  ['/readyz', 'health'],
  ['none', 'none'],
];

function findDoor(route: string): string {
  return doors.find(([prefix]) => route.startsWith(prefix))?.[1] ?? 'partners';
}

/** Measures duration and outcome of each call, by route; refused calls are logged. */
export function observeCalls(
  app: FastifyInstance,
  { logger, metrics }: { logger: Logger; metrics: Pick<Metrics, 'histogram'> },
): void {
  const durations = metrics.histogram({
    ...metric('rubrica_http_duration_seconds'),
    exemplars: true,
  });
  app.addHook('onResponse', (request, reply, done) => {
    const durationMs = performance.now() - request.call.startedAtMs;
    const route = request.routeOptions.url ?? 'none';
    // Callers may send any method: only those of known routes become labels.
    const method = route === 'none' ? 'none' : request.method;
    const { statusCode: status } = reply;
    // The context of the call ends with its handler, so it is restored for the trace of the exemplar.
    withContext(request.call, () =>
      durations.observe({ door: findDoor(route), route, method, status }, durationMs / 1000),
    );
    const partnerId = request.caller.kind === 'partner' ? request.caller.partnerId : undefined;
    const fields = { route, method, status, partnerId, durationMs: Math.round(durationMs) };
    if (status >= 400) logger.info(fields, 'request refused');
    else logger.debug(fields, 'request served');
    done();
  });
}
