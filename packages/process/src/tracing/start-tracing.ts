import { randomUUID } from 'node:crypto';
import type { Logger } from '../log/logger.ts';
import { type Sampling, setSampling } from './sampling.ts';
import { startSpansBy } from './with-span.ts';

export type Tracing = { stop(): Promise<void> };

const everything: Sampling = { sampler: 'parentbased_always_on', ratio: 1 };

/**
 * Sends spans to a collector. Without an endpoint nothing is loaded and no span is created.
 *
 * @param endpoint base address of OTLP over HTTP, e.g. `http://127.0.0.1:4318`
 * @param sampling decides which of the traces that begin here are sampled; default: all
 */
export async function startTracing(options: {
  service: string;
  version?: string | undefined;
  endpoint: string | undefined;
  sampling?: Sampling;
  logger: Pick<Logger, 'warn'>;
}): Promise<Tracing> {
  const { service, version, endpoint, sampling = everything, logger } = options;
  setSampling(sampling);
  if (endpoint === undefined) return { stop: async () => undefined };
  const { openTelemetry } = await import('./open-telemetry.ts');
  const resource = {
    'service.name': service,
    'service.namespace': 'rubrica',
    ...(version === undefined ? {} : { 'service.version': version }),
    'service.instance.id': randomUUID(),
  };
  const telemetry = openTelemetry({ resource, endpoint, logger });
  startSpansBy(telemetry.startSpan);
  return {
    async stop() {
      startSpansBy(undefined);
      await telemetry.stop();
    },
  };
}
