import { type AmbientContext, currentContext, withContext } from '../context/ambient-context.ts';
import { isSampledTrace, newTraceparent, readTraceId } from '../context/traceparent.ts';
import { AppError } from '../errors/app-error.ts';
import type { SpanTemplate } from './span-template.ts';

export type SpanHandle = {
  /** Traceparent for the work below the span. */
  readonly traceparent: string;
  /** Records the failure of work that reports it without throwing. */
  fail(code: string): void;
};

/** Work of a span. Only the code of its failure is recorded. */
type Work<Result> = (span?: SpanHandle) => Promise<Result>;

/** Span that its caller ends. */
export type OpenSpan = SpanHandle & { end(): void };

/** @param above a valid, sampled traceparent */
export type StartSpan = (template: SpanTemplate, above: string) => OpenSpan;

// One per process, like its sampling.
let startSpan: StartSpan | undefined;

/** Sets how spans are started; undefined starts none. */
export function startSpansBy(start: StartSpan | undefined): void {
  startSpan = start;
}

export function isTracing(): boolean {
  return startSpan !== undefined;
}

/**
 * Runs `work` in a span under the ambient trace, or under a new one. If spans are not collected, or this trace is not
 * sampled, `work` is called without a span.
 */
export function withSpan<Result>(template: SpanTemplate, work: Work<Result>): Promise<Result> {
  if (!isTracing()) return work();
  const ambient = currentContext();
  if (ambient?.traceparent === undefined) return withSpanIn(startTrace(ambient), template, work);
  // Its spans are not created: there is nothing to distinguish below it.
  return isSampledTrace(ambient.traceparent) ? withSpanIn(ambient, template, work) : work();
}

/** Runs `work` in the context that it enters, with a span if the trace is kept. */
export function withSpanIn<Result>(
  context: AmbientContext,
  template: SpanTemplate,
  work: Work<Result>,
): Promise<Result> {
  const { requestId, traceparent } = context;
  const span = startKept(template, traceparent);
  if (span === undefined) return withContext(context, work);
  const below = { requestId, traceparent: span.traceparent };
  return endWithWork(span, () => withContext(below, () => work(span)));
}

/** Runs work that starts no work below it, or passes on `traceparent` itself: its context does not change. */
export function withLeafSpan<Result>(template: SpanTemplate, work: Work<Result>): Promise<Result> {
  if (!isTracing()) return work();
  const span = startKept(template, currentContext()?.traceparent ?? newTraceparent());
  return span === undefined ? work() : endWithWork(span, () => work(span));
}

/** Starts a span if spans are collected and the trace is sampled. */
function startKept(template: SpanTemplate, traceparent: string | undefined): OpenSpan | undefined {
  return traceparent !== undefined && isSampledTrace(traceparent)
    ? startSpan?.(template, traceparent)
    : undefined;
}

/**
 * Ends the span with the work, and returns the promise of `run` itself, not a derived one. Work that takes more ticks
 * because it is traced would be separated from work that began with it: calls and statements that were batched would be
 * sent singly.
 */
function endWithWork<Result>(span: OpenSpan, run: () => Promise<Result>): Promise<Result> {
  const fail = (error: unknown) => {
    span.fail(error instanceof AppError ? error.code : 'INTERNAL_ERROR');
    span.end();
  };
  try {
    const result = run();
    result.then(span.end, fail);
    return result;
  } catch (error) {
    fail(error);
    throw error;
  }
}

function startTrace(ambient: AmbientContext | undefined): AmbientContext {
  const traceparent = newTraceparent();
  return { requestId: ambient?.requestId ?? readTraceId(traceparent), traceparent };
}
