import type { Attributes } from '@opentelemetry/api';
import type { Logger } from '../log/logger.ts';
import { encodeSpan } from './otlp.ts';
import { postSpans } from './post-spans.ts';
import type { RecordedSpan } from './recorded-span.ts';
import { createSpanBatch, type SpanBatch } from './span-batch.ts';

const maxFullBatches = 8;
const flushIntervalMs = 2_000;

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
  const url = new URL(`${endpoint.replace(/\/$/, '')}/v1/traces`);
  const full: SpanBatch[] = [];
  let filling: SpanBatch | undefined;
  let dropped = 0;
  let sending: Promise<void> | undefined;

  function next(): SpanBatch | undefined {
    const batch = full.shift() ?? filling;
    if (batch === filling) filling = undefined;
    return batch;
  }
  async function flush(): Promise<void> {
    for (let batch = next(); batch; batch = next()) {
      const { count } = batch;
      await postSpans(url, batch.toBody()).catch((error: unknown) => {
        logger.warn({ count, err: error }, 'spans could not be delivered');
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
  /** Puts the batch that has no room left behind the others, and begins another with `text`. */
  function beginWith(text: string): boolean {
    if (filling !== undefined) {
      if (full.length === maxFullBatches) return false;
      full.push(filling);
    }
    filling = createSpanBatch(resource);
    return filling.add(text);
  }
  const timer = setInterval(flushOnce, flushIntervalMs).unref();
  return {
    add(span) {
      const text = encodeSpan(span);
      if (filling?.add(text) !== true && !beginWith(text)) dropped += 1;
      else if (filling?.isFull) void flushOnce();
    },
    async stop() {
      clearInterval(timer);
      await sending;
      await flushOnce();
    },
  };
}
