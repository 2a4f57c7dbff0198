import { randomBytes } from 'node:crypto';
import {
  type Attributes,
  type AttributeValue,
  type Context,
  INVALID_SPAN_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanStatus,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';

export type FinishedSpan = {
  name: string;
  kind: SpanKind;
  context: SpanContext;
  parentSpanId: string | undefined;
  startedAtMs: number;
  endedAtMs: number;
  attributes: Attributes;
  status: SpanStatus;
};

/**
 * The part of OpenTelemetry's SDK that a service needs: spans that follow their parent's sampling and hand
 * themselves over when they end. The SDK itself would cost each process tens of megabytes.
 */
export function createTracerProvider(onEnd: (span: FinishedSpan) => void): TracerProvider {
  const tracer = {
    startSpan(
      name: string,
      options: { kind?: SpanKind; attributes?: Attributes } = {},
      context?: Context,
    ): Span {
      const parent = context && trace.getSpanContext(context);
      if (parent && (parent.traceFlags & 1) === 0) return trace.wrapSpanContext(parent);
      const { kind = SpanKind.INTERNAL, attributes = {} } = options;
      return recordingSpan({ name, kind, parent, attributes, onEnd });
    },
    startActiveSpan(): never {
      throw new Error('spans are made by withSpan: there is no active span to set');
    },
  };
  return { getTracer: () => tracer };
}

function recordingSpan({
  name,
  kind,
  parent,
  attributes,
  onEnd,
}: {
  name: string;
  kind: SpanKind;
  parent: SpanContext | undefined;
  attributes: Attributes;
  onEnd: (span: FinishedSpan) => void;
}): Span {
  const ids = randomBytes(24).toString('hex');
  const context = {
    ...INVALID_SPAN_CONTEXT,
    traceId: parent?.traceId ?? ids.slice(0, 32),
    spanId: ids.slice(32),
    traceFlags: 1,
  };
  const finished: FinishedSpan = {
    name,
    kind,
    context,
    parentSpanId: parent?.spanId,
    startedAtMs: Date.now(),
    endedAtMs: 0,
    attributes: { ...attributes },
    status: { code: SpanStatusCode.UNSET },
  };
  const startedAt = performance.now();
  const span: Span = {
    spanContext: () => context,
    isRecording: () => finished.endedAtMs === 0,
    setAttribute(key: string, value: AttributeValue) {
      finished.attributes[key] = value;
      return span;
    },
    setAttributes(values: Attributes) {
      Object.assign(finished.attributes, values);
      return span;
    },
    setStatus(status: SpanStatus) {
      finished.status = status;
      return span;
    },
    updateName(next: string) {
      finished.name = next;
      return span;
    },
    // Events and links would carry exceptions' messages, which may quote secrets: they are not kept.
    addEvent: () => span,
    addLink: () => span,
    addLinks: () => span,
    recordException: () => undefined,
    end() {
      if (finished.endedAtMs !== 0) return;
      finished.endedAtMs = finished.startedAtMs + (performance.now() - startedAt);
      onEnd(finished);
    },
  };
  return span;
}
