export { type AmbientContext, currentContext, withContext } from './ambient-context.ts';
export { continueTrace, readTraceId } from './traceparent.ts';
