import { isSampled } from '../tracing/sampling.ts';
import { randomHex } from './random-hex.ts';

/** The parts of a W3C Trace Context `traceparent` (https://www.w3.org/TR/trace-context/#traceparent-header). */
export type TraceParts = { traceId: string; spanId: string; sampled: boolean };

const shape = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/;
const lastOfFlags = '00-'.length + 32 + '-'.length + 16 + '-'.length + 1;
const noTrace = '0'.repeat(32);
const noSpan = '0'.repeat(16);

/** @returns undefined for anything that the recommendation tells a receiver to ignore */
export function parseTraceparent(text: string | undefined): TraceParts | undefined {
  const match = text === undefined ? null : shape.exec(text);
  if (!match) return undefined;
  const [whole, version, traceId, spanId] = match as unknown as [string, string, string, string];
  if (version === 'ff' || traceId === noTrace || spanId === noSpan) return undefined;
  // Version 00 ends here; a later one may go on, after a dash.
  const rest = (text as string).slice(whole.length);
  if (rest !== '' && (version === '00' || !rest.startsWith('-'))) return undefined;
  return { traceId, spanId, sampled: isKept(whole) };
}

/** Of a valid one, without taking it apart: each call asks several times. */
export function isKept(traceparent: string): boolean {
  return (Number.parseInt(traceparent.charAt(lastOfFlags), 16) & 1) === 1;
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceParts): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/**
 * A trace of its own, for work that nobody's trace led to; whether its spans are kept is decided here. There is no span above its
 * first ones, although a traceparent has to name one: it names how the trace's id begins, which tells all whom it reaches.
 */
export function newTraceparent(): string {
  const traceId = randomHex(16);
  return formatTraceparent({ traceId, spanId: traceId.slice(0, 16), sampled: isSampled(traceId) });
}

/** Whether the span that it names is none: see `newTraceparent`. */
export function beginsTrace(traceparent: string): boolean {
  return spanIdOf(traceparent) === traceparent.slice(3, 19);
}

/** The trace that a caller or a message came with; one of its own where what came is none. */
export function continuedTrace(text: string | undefined): string {
  return text !== undefined && parseTraceparent(text) ? text : newTraceparent();
}

/** The trace id alone, as error objects and log lines carry it. */
export function traceIdOf(traceparent: string): string;
export function traceIdOf(traceparent: string | undefined): string | undefined;
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return traceparent?.slice(3, 35);
}

export function spanIdOf(traceparent: string): string {
  return traceparent.slice(36, 52);
}
