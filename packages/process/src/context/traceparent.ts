import { isSampled } from '../tracing/sampling.ts';
import { randomHex } from './random-hex.ts';

/** Parts of a W3C Trace Context `traceparent` (https://www.w3.org/TR/trace-context/#traceparent-header). */
export type TraceParts = { traceId: string; spanId: string; sampled: boolean };

const shape = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/;
const lastOfFlags = '00-'.length + 32 + '-'.length + 16 + '-'.length + 1;
const noTrace = '0'.repeat(32);
const noSpan = '0'.repeat(16);

/**
 * Parses a traceparent.
 * @returns undefined for anything that the recommendation tells a receiver to ignore
 */
export function parseTraceparent(text: string | undefined): TraceParts | undefined {
  const match = text === undefined ? null : shape.exec(text);
  if (!match) return undefined;
  const [whole, version, traceId, spanId] = match as unknown as [string, string, string, string];
  if (version === 'ff' || traceId === noTrace || spanId === noSpan) return undefined;
  // Version 00 ends here; a later one may continue, after a dash.
  const rest = (text as string).slice(whole.length);
  if (rest !== '' && (version === '00' || !rest.startsWith('-'))) return undefined;
  return { traceId, spanId, sampled: isSampledTrace(whole) };
}

/** Tells whether a valid traceparent is sampled, without parsing it: each call asks several times. */
export function isSampledTrace(traceparent: string): boolean {
  return (Number.parseInt(traceparent.charAt(lastOfFlags), 16) & 1) === 1;
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceParts): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/**
 * Creates the traceparent of a new trace, for work without one, and decides whether its spans are sampled. Its first
 * spans have no parent, although a traceparent must name one: it names the beginning of the trace's id, by which every
 * receiver recognises it.
 */
export function newTraceparent(): string {
  const traceId = randomHex(16);
  return formatTraceparent({ traceId, spanId: traceId.slice(0, 16), sampled: isSampled(traceId) });
}

/** Tells whether the traceparent names no parent span: see `newTraceparent`. */
export function isTraceStart(traceparent: string): boolean {
  return readSpanId(traceparent) === traceparent.slice(3, 19);
}

/** Returns the traceparent of a caller or a message, or a new one if it is invalid. */
export function continueTrace(text: string | undefined): string {
  return text !== undefined && parseTraceparent(text) ? text : newTraceparent();
}

/** Returns the trace id, as error objects and log lines contain it. */
export function readTraceId(traceparent: string): string;
export function readTraceId(traceparent: string | undefined): string | undefined;
export function readTraceId(traceparent: string | undefined): string | undefined {
  return traceparent?.slice(3, 35);
}

export function readSpanId(traceparent: string): string {
  return traceparent.slice(36, 52);
}
