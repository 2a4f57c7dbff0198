import {
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { randomHex } from '../context/random-hex.ts';
import { RecordedSpan } from './recorded-span.ts';
import { isSampled } from './sampling.ts';

/**
 * The part of OpenTelemetry's SDK that a service needs: spans that follow their parent's sampling and hand
 * themselves over when they end. The SDK itself would cost each process tens of megabytes.
 */
export function createTracerProvider(onEnd: (span: RecordedSpan) => void): TracerProvider {
  const tracer = {
    startSpan(
      name: string,
      { kind = SpanKind.INTERNAL, attributes = {} }: { kind?: SpanKind; attributes?: Attributes } = {},
      within?: Context,
    ): Span {
      const parent = within && trace.getSpanContext(within);
      const traceId = parent?.traceId ?? randomHex(16);
      const isKept = parent ? (parent.traceFlags & 1) === 1 : isSampled(traceId);
      const context = { traceId, spanId: randomHex(8), traceFlags: isKept ? 1 : 0 };
      if (!isKept) return trace.wrapSpanContext(parent ?? context);
      return new RecordedSpan({ name, kind, context, parentSpanId: parent?.spanId, attributes }, onEnd);
    },
    startActiveSpan(): never {
      throw new Error('spans are made by withSpan: there is no active span to set');
    },
  };
  return { getTracer: () => tracer };
}
