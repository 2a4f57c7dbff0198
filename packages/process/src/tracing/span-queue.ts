import type { Attributes } from '@opentelemetry/api';
import type { Logger } from '../log/logger.ts';
import { encodeExport, encodeSpan } from './otlp.ts';
import type { RecordedSpan } from './recorded-span.ts';

const maxQueued = 4096;
const maxBatch = 512;
const flushIntervalMs = 2_000;
const postTimeoutMs = 5_000;

export type SpanQueue = { add(span: RecordedSpan): void; stop(): Promise<void> };

/**
 * Sends finished spans in batches. A collector that is slow or away costs spans, never
 * memory: what does not fit is dropped, and a warning says how many there were.
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
  let queued: string[] = [];
  let dropped = 0;
  let sending: Promise<void> | undefined;

  async function flush(): Promise<void> {
    while (queued.length > 0) {
      const batch = queued.splice(0, maxBatch);
      await post(url, encodeExport(resource, batch)).catch((error: unknown) => {
        logger.warn({ count: batch.length, err: error }, 'spans could not be delivered');
      });
    }
    if (dropped > 0)
      logger.warn({ count: dropped }, 'spans were dropped: the collector is too slow for them');
    dropped = 0;
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
      if (queued.length < maxQueued) queued.push(encodeSpan(span));
      else dropped += 1;
      if (queued.length >= maxBatch && sending === undefined) void flushOnce();
    },
    async stop() {
      clearInterval(timer);
      await sending;
      await flushOnce();
      queued = [];
    },
  };
}

async function post(url: string, body: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(postTimeoutMs),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the collector answered ${response.status}`);
}
