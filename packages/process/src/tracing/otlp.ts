import type { Attributes, AttributeValue } from '@opentelemetry/api';
import type { RecordedSpan } from './recorded-span.ts';

/**
 * Spans as OTLP's JSON (https://opentelemetry.io/docs/specs/otlp/#otlphttp). Each becomes text when it ends: objects that
 * wait for their turn cost the garbage collector more than all else that a span does.
 */
export function encodeSpan(span: RecordedSpan): string {
  const { context, parentSpanId, name, kind, startedAtMs, endedAtMs, attributes, status } = span;
  const parent = parentSpanId === undefined ? '' : `"parentSpanId":"${parentSpanId}",`;
  const message = status.message === undefined ? '' : `,"message":${JSON.stringify(status.message)}`;
  // OTLP counts kinds from 1, the API from 0.
  return `{"traceId":"${context.traceId}","spanId":"${context.spanId}",${parent}"name":${JSON.stringify(name)},"kind":${kind + 1},"startTimeUnixNano":"${nanoseconds(startedAtMs)}","endTimeUnixNano":"${nanoseconds(endedAtMs)}","attributes":${encodeAttributes(attributes)},"status":{"code":${status.code}${message}}}`;
}

/** Before the first span of a request; spans are told apart by commas. */
export function exportStart(resource: Attributes): string {
  return `{"resourceSpans":[{"resource":{"attributes":${encodeAttributes(resource)}},"scopeSpans":[{"scope":{"name":"rubrica"},"spans":[`;
}

/** After the last span of a request. */
export const exportEnd = ']}]}]}';

/** To the microsecond: more digits than a number holds exactly. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`;
}

function encodeAttributes(attributes: Attributes): string {
  let text = '';
  for (const key in attributes)
    text += `${text === '' ? '' : ','}{"key":"${key}","value":${encodeValue(attributes[key])}}`;
  return `[${text}]`;
}

function encodeValue(value: AttributeValue | undefined): string {
  if (typeof value === 'boolean') return `{"boolValue":${value}}`;
  if (typeof value === 'number')
    return Number.isInteger(value) ? `{"intValue":"${value}"}` : `{"doubleValue":${value}}`;
  if (Array.isArray(value))
    return `{"arrayValue":{"values":[${value.map((item) => encodeValue(item ?? '')).join(',')}]}}`;
  return `{"stringValue":${JSON.stringify(String(value ?? ''))}}`;
}
