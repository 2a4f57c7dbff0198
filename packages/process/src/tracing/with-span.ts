import { type AmbientContext, currentContext, withContext } from '../context/ambient-context.ts';
import { isKept, newTraceparent, traceIdOf } from '../context/traceparent.ts';
import { AppError } from '../errors/app-error.ts';
import { OpenSpan } from './open-span.ts';
import type { SpanTemplate } from './span-template.ts';

export type SpanHandle = {
  /** For what is below the span. */
  readonly traceparent: string;
  /** For work that reports a failure without throwing it. */
  fail(code: string): void;
};

/** What a span is about. Of a failure only its code is recorded. */
type Work<Result> = (span?: SpanHandle) => Promise<Result>;

// One for a process, as its sampling is.
let take: ((ended: OpenSpan) => void) | undefined;

/** Where spans go when they end. Without, none are made. */
export function sendSpansTo(taker: ((ended: OpenSpan) => void) | undefined): void {
  take = taker;
}

export function isTracing(): boolean {
  return take !== undefined;
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

/** The same for work that enters a context: in that one, with a span if its trace is kept. */
export function withSpanIn<Result>(
  context: AmbientContext,
  template: SpanTemplate,
  work: Work<Result>,
): Promise<Result> {
  const { requestId, traceparent } = context;
  if (!isTraced(traceparent)) return withContext(context, work);
  const span = new OpenSpan(template, traceparent);
  const below = { requestId, traceparent: span.traceparent };
  return untilEnded(span, () => withContext(below, () => work(span)));
}

/** For work with nothing below it, or that hands on `traceparent` by itself: its context stays as it is. */
export function withLeafSpan<Result>(template: SpanTemplate, work: Work<Result>): Promise<Result> {
  if (!isTracing()) return work();
  const above = currentContext()?.traceparent ?? newTraceparent();
  if (!isKept(above)) return work();
  const span = new OpenSpan(template, above);
  return untilEnded(span, () => work(span));
}

function isTraced(traceparent: string | undefined): traceparent is string {
  return isTracing() && traceparent !== undefined && isKept(traceparent);
}

/**
 * The promise that `run` made, not one that follows it: work that takes more steps for being traced leaves the company of what
 * began with it, and calls and statements that went together go by themselves from there on.
 */
function untilEnded<Result>(span: OpenSpan, run: () => Promise<Result>): Promise<Result> {
  const end = () => {
    span.end();
    take?.(span);
  };
  const fail = (error: unknown) => {
    span.fail(error instanceof AppError ? error.code : 'INTERNAL_ERROR');
    end();
  };
  try {
    const result = run();
    result.then(end, fail);
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
