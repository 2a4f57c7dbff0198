import {
  type Attributes,
  type AttributeValue,
  type Span,
  type SpanContext,
  type SpanKind,
  type SpanStatus,
  SpanStatusCode,
} from '@opentelemetry/api';

export type SpanStart = {
  name: string;
  kind: SpanKind;
  context: SpanContext;
  parentSpanId: string | undefined;
  /** The span's own from now on. */
  attributes: Attributes;
};

/** Asked for once: the getter costs more than the clock. */
const startOfClockMs = performance.timeOrigin;

/** A span that hands itself over when it ends. Every call makes several: it has nothing that it can do without. */
export class RecordedSpan implements Span {
  name: string;
  readonly kind: SpanKind;
  readonly context: SpanContext;
  readonly parentSpanId: string | undefined;
  readonly startedAtMs = startOfClockMs + performance.now();
  endedAtMs = 0;
  readonly attributes: Attributes;
  status: SpanStatus = { code: SpanStatusCode.UNSET };
  readonly #onEnd: (span: RecordedSpan) => void;

  constructor(
    { name, kind, context, parentSpanId, attributes }: SpanStart,
    onEnd: (span: RecordedSpan) => void,
  ) {
    this.name = name;
    this.kind = kind;
    this.context = context;
    this.parentSpanId = parentSpanId;
    this.attributes = attributes;
    this.#onEnd = onEnd;
  }
  spanContext(): SpanContext {
    return this.context;
  }
  isRecording(): boolean {
    return this.endedAtMs === 0;
  }
  setAttribute(key: string, value: AttributeValue): this {
    this.attributes[key] = value;
    return this;
  }
  setAttributes(values: Attributes): this {
    Object.assign(this.attributes, values);
    return this;
  }
  setStatus(status: SpanStatus): this {
    this.status = status;
    return this;
  }
  updateName(next: string): this {
    this.name = next;
    return this;
  }
  // Events and links would carry exceptions' messages, which may quote secrets: they are not kept.
  addEvent(): this {
    return this;
  }
  addLink(): this {
    return this;
  }
  addLinks(): this {
    return this;
  }
  recordException(): void {}
  end(): void {
    if (this.endedAtMs !== 0) return;
    this.endedAtMs = startOfClockMs + performance.now();
    this.#onEnd(this);
  }
}
