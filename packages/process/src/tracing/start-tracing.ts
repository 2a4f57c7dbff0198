import { randomUUID } from 'node:crypto';
import type { Logger } from '../log/logger.ts';

export type Tracing = { stop(): Promise<void> };

/**
 * Sends spans to a collector. Without an endpoint nothing is loaded and every span is a no-op.
 *
 * @param endpoint base address of OTLP over HTTP, e.g. `http://127.0.0.1:4318`
 */
export async function startTracing(options: {
  service: string;
  version?: string | undefined;
  endpoint: string | undefined;
  logger: Pick<Logger, 'warn'>;
}): Promise<Tracing> {
  const { service, version, endpoint, logger } = options;
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
