import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { randomHex } from '../context/random-hex.ts';
import { formatTraceparent, isTraceStart, readSpanId, readTraceId } from '../context/traceparent.ts';
import type { Logger } from '../log/logger.ts';
import type { StartSpan } from './with-span.ts';

/** Encoding a request of this size blocks the event loop for a few milliseconds. */
const maxSpansInRequest = 512;
/** Limits the memory for spans while the collector is slow or away. */
const maxWaitingSpans = 24 * maxSpansInRequest;
const flushIntervalMs = 2_000;
/** Includes retries, and ends before the runner gives up the stop of tracing. */
const exportTimeoutMs = 2_000;

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

export type OpenTelemetryOptions = {
  /** Identity of the process: `service.name`, `service.version`, `service.instance.id`. */
  resource: Attributes;
  /** Base address of OTLP over HTTP. */
  endpoint: string;
  logger: Pick<Logger, 'warn'>;
};

/** Creates spans by OpenTelemetry's SDK and sends them to a collector. */
export function openTelemetry(options: OpenTelemetryOptions): {
  startSpan: StartSpan;
  stop(): Promise<void>;
} {
  // Trace ids come with the traceparent: the SDK asks for one if a span has no parent.
  let traceId = '';
  const provider = new TracerProvider({
    resource: resourceFromAttributes(options.resource),
    // Spans are only started in sampled traces.
    sampler: new AlwaysOnSampler(),
    idGenerator: { generateTraceId: () => traceId, generateSpanId: () => randomHex(8) },
    spanProcessors: [createProcessor(options)],
  });
  const tracer = provider.getTracer('rubrica');
  return {
    startSpan({ name, kind, attributes }, above) {
      traceId = readTraceId(above);
      const startTime = now();
      const spanOptions = { kind: kinds[kind], attributes: attributes as Attributes, startTime };
      const span = tracer.startSpan(name, spanOptions, parentContext(above));
      const { spanId } = span.spanContext();
      return {
        traceparent: formatTraceparent({ traceId, spanId, sampled: true }),
        fail: (code) => void span.setStatus({ code: SpanStatusCode.ERROR, message: code }),
        end: () => span.end(now()),
      };
    },
    stop: () => provider.shutdown(),
  };
}

/** Reads the time to the microsecond: the SDK's own start times are whole milliseconds. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

function parentContext(above: string): Context {
  if (isTraceStart(above)) return ROOT_CONTEXT;
  const parent = { traceId: readTraceId(above), spanId: readSpanId(above), traceFlags: TraceFlags.SAMPLED };
  return trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
}

/** Creates the SDK's batch processor with a limit on unfinished spans, and with warnings about lost spans. */
function createProcessor({ endpoint, logger }: OpenTelemetryOptions): SpanProcessor {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs });
  let waiting = 0;
  let dropped = 0;
  const batches = new BatchSpanProcessor({
    maxExportBatchSize: maxSpansInRequest,
    maxQueueSize: maxWaitingSpans,
    scheduledDelayMillis: flushIntervalMs,
    exporter: {
      export(spans, done) {
        const count = spans.length;
        exporter.export(spans, ({ error }) => {
          waiting -= count;
          if (error) logger.warn({ count, err: error }, 'spans could not be delivered');
          if (dropped > 0)
            logger.warn({ count: dropped }, 'spans were dropped: the collector is too slow for them');
          dropped = 0;
          // A loss is logged above, and does not fail the stop.
          done({ code: 0 });
        });
      },
      shutdown: () => exporter.shutdown(),
    },
  });
  return {
    onStart: () => undefined,
    onEnd(span) {
      if (waiting === maxWaitingSpans) dropped += 1;
      else {
        waiting += 1;
        batches.onEnd(span);
      }
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}
