export { SpanTemplate, templatesByName } from './span-template.ts';
export type { Tracing } from './start-tracing.ts';
export { isTracing, withLeafSpan, withSpan, withSpanIn } from './with-span.ts';
