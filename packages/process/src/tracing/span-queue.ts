import type { Attributes, AttributeValue } from '@opentelemetry/api';
import type { Logger } from '../log/logger.ts';
import type { FinishedSpan } from './tracer-provider.ts';

const maxQueued = 4096;
const maxBatch = 512;
const flushIntervalMs = 2_000;
const postTimeoutMs = 5_000;

export type SpanQueue = { add(span: FinishedSpan): void; stop(): Promise<void> };

/**
 * Sends finished spans in batches as OTLP/HTTP with JSON
 * (https://opentelemetry.io/docs/specs/otlp/#otlphttp). A collector that is slow or away costs spans, never
 * memory: what does not fit is dropped and counted in one warning.
 */
export function createSpanQueue({
  resource,
  endpoint,
  logger,
}: {
  /** Which process speaks: `service.name`, `service.version`, `service.instance.id`. */
  resource: Attributes;
  endpoint: string;
  logger: Pick<Logger, 'warn'>;
}): SpanQueue {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  let queued: FinishedSpan[] = [];
  let dropped = 0;
  let sending: Promise<void> | undefined;

  async function flush(): Promise<void> {
    while (queued.length > 0) {
      const batch = queued.splice(0, maxBatch);
      await post(url, toOtlp(resource, batch)).catch((error: unknown) => {
        dropped += batch.length;
        logger.warn({ count: dropped, err: error }, 'spans could not be delivered');
      });
    }
  }
  function flushOnce(): Promise<void> {
    sending ??= flush().finally(() => {
      sending = undefined;
    });
    return sending;
  }
  const timer = setInterval(flushOnce, flushIntervalMs).unref();
  return {
    add(span) {
      if (queued.length < maxQueued) queued.push(span);
      else dropped += 1;
    },
    async stop() {
      clearInterval(timer);
      await sending;
      await flushOnce();
      queued = [];
    },
  };
}

async function post(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(postTimeoutMs),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the collector answered ${response.status}`);
}

function toOtlp(resource: Attributes, spans: readonly FinishedSpan[]): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: toKeyValues(resource) },
        scopeSpans: [{ scope: { name: 'rubrica' }, spans: spans.map(toOtlpSpan) }],
      },
    ],
  };
}

function toOtlpSpan(span: FinishedSpan): object {
  return {
    traceId: span.context.traceId,
    spanId: span.context.spanId,
    ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
    name: span.name,
    // OTLP counts from 1, the API from 0.
    kind: span.kind + 1,
    startTimeUnixNano: toNanoseconds(span.startedAtMs),
    endTimeUnixNano: toNanoseconds(span.endedAtMs),
    attributes: toKeyValues(span.attributes),
    status: span.status,
  };
}

function toNanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}

function toKeyValues(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: toAnyValue(value) }));
}

function toAnyValue(value: AttributeValue | undefined): object {
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map((item) => toAnyValue(item ?? '')) } };
  return { stringValue: String(value ?? '') };
}
