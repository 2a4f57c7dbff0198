import { type AmbientContext, currentContext, withContext } from '../context/ambient-context.ts';
import { isKept, newTraceparent, traceIdOf } from '../context/traceparent.ts';
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

/** @param above a valid traceparent that is kept */
export type StartSpan = (template: SpanTemplate, above: string) => OpenSpan;

// One for a process, as its sampling is.
let startSpan: StartSpan | undefined;

/** Sets how spans are started; undefined starts none. */
export function startSpansBy(start: StartSpan | undefined): void {
  startSpan = start;
}

export function isTracing(): boolean {
  return startSpan !== undefined;
}

/**
 * Runs `work` in a span under the ambient trace, or under one that begins here. Where nobody collects spans, or this trace is not
 * kept, `work` is called as it is.
 */
export function withSpan<Result>(template: SpanTemplate, work: Work<Result>): Promise<Result> {
  if (!isTracing()) return work();
  const ambient = currentContext();
  if (ambient?.traceparent === undefined) return withSpanIn(beginning(ambient), template, work);
  // Its spans are made nowhere: there is nothing to tell apart below it.
  return isKept(ambient.traceparent) ? withSpanIn(ambient, template, work) : work();
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
  return untilEnded(span, () => withContext(below, () => work(span)));
}

/** Runs work with nothing below it, or that hands on `traceparent` by itself: its context stays as it is. */
export function withLeafSpan<Result>(template: SpanTemplate, work: Work<Result>): Promise<Result> {
  if (!isTracing()) return work();
  const span = startKept(template, currentContext()?.traceparent ?? newTraceparent());
  return span === undefined ? work() : untilEnded(span, () => work(span));
}

/** Starts a span where spans are collected and the trace is kept. */
function startKept(template: SpanTemplate, traceparent: string | undefined): OpenSpan | undefined {
  return traceparent !== undefined && isKept(traceparent) ? startSpan?.(template, traceparent) : undefined;
}

/**
 * Returns the promise that `run` made, not one that follows it: work that takes more steps for being traced leaves the company of
 * what began with it, and calls and statements that went together go by themselves from there on.
 */
function untilEnded<Result>(span: OpenSpan, run: () => Promise<Result>): Promise<Result> {
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

function beginning(ambient: AmbientContext | undefined): AmbientContext {
  const traceparent = newTraceparent();
  return { requestId: ambient?.requestId ?? traceIdOf(traceparent), traceparent };
}
