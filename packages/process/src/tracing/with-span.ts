import {
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { type AmbientContext, currentContext, withContext } from '../context/ambient-context.ts';
import { formatTraceparent, isKept, parseTraceparent, type TraceParts } from '../context/traceparent.ts';
import { AppError } from '../errors/app-error.ts';
import { type LogFields, pickLogFields } from '../log/log-fields.ts';

const scope = 'rubrica';

/** What of OpenTelemetry's semantic conventions a span may say: names of things, never a value of a caller. */
export type SpanFacts = {
  'db.system.name'?: 'postgresql';
  'db.operation.name'?: string;
  'db.namespace'?: string;
  'http.request.method'?: string;
  'http.route'?: string;
  'messaging.system'?: 'nats';
  'messaging.operation.name'?: string;
  'messaging.operation.type'?: 'send' | 'process';
  'messaging.destination.name'?: string;
  'messaging.consumer.group.name'?: string;
  'messaging.message.id'?: string;
  'rpc.system'?: 'trpc';
  'rpc.service'?: string;
  'rpc.method'?: string;
  'server.address'?: string;
};

export type SpanOptions = {
  /** Who speaks to whom; work of one's own by default. */
  kind?: keyof typeof kinds;
  facts?: SpanFacts;
};

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** For work that reports a failure without throwing it. */
export type SpanHandle = { fail(code: string): void };

/**
 * Runs `work` in a span under the ambient trace. Where nobody collects spans, or this trace is not sampled, `work` is
 * called as it is. Attributes obey the logs' allow-list; of a failure only its code is recorded.
 */
export function withSpan<Result>(
  name: string,
  attributes: Omit<LogFields, 'err'>,
  work: (span?: SpanHandle) => Promise<Result>,
  options: SpanOptions = {},
): Promise<Result> {
  if (!isTracing()) return work();
  const ambient = currentContext();
  // Its spans are made nowhere: there is nothing to tell apart below it.
  if (ambient?.traceparent !== undefined && !isKept(ambient.traceparent)) return work();
  const parent = parseTraceparent(ambient?.traceparent);
  const kind = kinds[options.kind ?? 'internal'];
  const all = { ...pickLogFields(attributes), ...options.facts } as Record<string, string>;
  const span = trace.getTracer(scope).startSpan(name, { kind, attributes: all }, contextBelow(parent));
  return inSpan(span, ambient, work);
}

async function inSpan<Result>(
  span: Span,
  ambient: AmbientContext | undefined,
  work: (span?: SpanHandle) => Promise<Result>,
): Promise<Result> {
  try {
    return await withContext(contextOf(span, ambient), () => work({ fail: (code) => fail(span, code) }));
  } catch (error) {
    fail(span, error instanceof AppError ? error.code : 'INTERNAL_ERROR');
    throw error;
  } finally {
    span.end();
  }
}

function fail(span: Span, code: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: code });
}

/** True once a tracer provider is registered, by `startTracing` or by an agent that was loaded before us. */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(scope) !== undefined;
}

function contextBelow(parent: TraceParts | undefined) {
  if (!parent) return ROOT_CONTEXT;
  const { traceId, spanId, sampled } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: sampled ? 1 : 0, isRemote: true });
}

function contextOf(span: Span, ambient: AmbientContext | undefined): AmbientContext {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const traceparent = formatTraceparent({ traceId, spanId, sampled: (traceFlags & 1) === 1 });
  return { requestId: ambient?.requestId ?? traceId, traceparent };
}
