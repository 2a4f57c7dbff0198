import type { Logger } from '../log/logger.ts';
import type { OpenSpan } from './open-span.ts';
import type { Attributes } from './otlp.ts';
import { postSpans } from './post-spans.ts';
import { createSpanBatch, type SpanBatch } from './span-batch.ts';

const maxFullBatches = 4;
const flushIntervalMs = 2_000;
/** What runs for one call in ten finds nothing in the processor's caches: in a row, the second costs a fraction of the first. */
const encodedInARow = 128;

export type SpanQueue = {
  add(ended: OpenSpan): void;
  stop(): Promise<void>;
};

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
  const ended: OpenSpan[] = [];
  let filling: SpanBatch | undefined;
  const full: SpanBatch[] = [];
  let dropped = 0;
  let sending: Promise<void> | undefined;

  function encodeEnded(): void {
    for (const span of ended.splice(0)) if (!keep(span.encode())) dropped += 1;
  }
  function keep(text: string): boolean {
    if (filling?.add(text) !== true) {
      if (!closeFilling()) return false;
      filling = createSpanBatch(resource);
      if (!filling.add(text)) return false;
    }
    if (filling.isFull) closeFilling();
    return true;
  }
  /** Whether there is room for another; what is closed is sent. */
  function closeFilling(): boolean {
    if (filling === undefined) return true;
    if (full.length === maxFullBatches) return false;
    full.push(filling);
    filling = undefined;
    void sendFull();
    return true;
  }
  function sendFull(): Promise<void> {
    sending ??= sendEach().finally(() => {
      sending = undefined;
    });
    return sending;
  }
  async function sendEach(): Promise<void> {
    for (let batch = full.shift(); batch; batch = full.shift()) {
      const { count } = batch;
      await postSpans(url, batch.toBody()).catch((error: unknown) => {
        logger.warn({ count, err: error }, 'spans could not be delivered');
      });
    }
    if (dropped > 0)
      logger.warn({ count: dropped }, 'spans were dropped: the collector is too slow for them');
    dropped = 0;
  }
  const timer = setInterval(() => {
    encodeEnded();
    closeFilling();
    void sendFull();
  }, flushIntervalMs).unref();
  return {
    add(span) {
      ended.push(span);
      if (ended.length === encodedInARow) encodeEnded();
    },
    async stop() {
      clearInterval(timer);
      encodeEnded();
      // Where all was full there is room now for what was not.
      await sendFull();
      closeFilling();
      await sendFull();
    },
  };
}
