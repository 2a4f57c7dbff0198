import { randomUUID } from 'node:crypto';
import type { Logger } from '../log/logger.ts';
import { type Sampling, setSampling } from './sampling.ts';

export type Tracing = { stop(): Promise<void> };

const everything: Sampling = { sampler: 'parentbased_always_on', ratio: 1 };

/**
 * Sends spans to a collector. Without an endpoint nothing is loaded and every span is a no-op.
 *
 * @param endpoint base address of OTLP over HTTP, e.g. `http://127.0.0.1:4318`
 * @param sampling which of the traces that begin here are kept; all by default
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
  const [{ trace }, { createSpanQueue }, { createTracerProvider }] = await Promise.all([
    import('@opentelemetry/api'),
    import('./span-queue.ts'),
    import('./tracer-provider.ts'),
  ]);
  const resource = {
    'service.name': service,
    'service.namespace': 'rubrica',
    ...(version === undefined ? {} : { 'service.version': version }),
    'service.instance.id': randomUUID(),
  };
  const queue = createSpanQueue({ resource, endpoint, logger });
  trace.setGlobalTracerProvider(createTracerProvider(queue.add));
  return {
    async stop() {
      trace.disable();
      await queue.stop();
    },
  };
}
