import { randomHex } from '../context/random-hex.ts';
import { beginsTrace, formatTraceparent, spanIdOf, traceIdOf } from '../context/traceparent.ts';
import { encodeSpan } from './otlp.ts';
import type { SpanTemplate } from './span-template.ts';

/** Asked for once: the getter costs more than the clock. */
const startOfClockMs = performance.timeOrigin;

/** A span from its start until it is text. A traced call makes several: it holds nothing that it can do without. */
export class OpenSpan {
  readonly #template: SpanTemplate;
  /** A valid traceparent that is kept. */
  readonly #above: string;
  readonly #id = randomHex(8);
  readonly #startedAtMs = startOfClockMs + performance.now();
  #endedAtMs = 0;
  #failure: string | undefined;

  constructor(template: SpanTemplate, above: string) {
    this.#template = template;
    this.#above = above;
  }

  /** For what is below it. */
  get traceparent(): string {
    return formatTraceparent({ traceId: traceIdOf(this.#above), spanId: this.#id, sampled: true });
  }

  fail(code: string): void {
    this.#failure = code;
  }

  end(): void {
    this.#endedAtMs = startOfClockMs + performance.now();
  }

  /** As OTLP's JSON, once it has ended. */
  encode(): string {
    const above = this.#above;
    return encodeSpan({
      traceId: traceIdOf(above),
      spanId: this.#id,
      parentSpanId: beginsTrace(above) ? undefined : spanIdOf(above),
      traits: this.#template.encoded,
      startedAtMs: this.#startedAtMs,
      endedAtMs: this.#endedAtMs,
      failure: this.#failure,
    });
  }
}
