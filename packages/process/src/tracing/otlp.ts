export type Attributes = Readonly<Record<string, unknown>>;

/** As OTLP numbers them; 0 is none. */
const kinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;
export type SpanKind = keyof typeof kinds;
const status = { unset: 0, error: 2 } as const;

/** What does not differ from span to span: members of a span's object. */
export function encodeTraits({
  name,
  kind,
  attributes,
}: {
  name: string;
  kind: SpanKind;
  attributes: Attributes;
}): string {
  return `"name":${JSON.stringify(name)},"kind":${kinds[kind]},"attributes":${encodeAttributes(attributes)}`;
}

/** A span as OTLP's JSON (https://opentelemetry.io/docs/specs/otlp/#otlphttp). */
export function encodeSpan(span: {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  /** By `encodeTraits`. */
  traits: string;
  startedAtMs: number;
  endedAtMs: number;
  /** The code of its failure. */
  failure: string | undefined;
}): string {
  const { traceId, spanId, parentSpanId, traits, startedAtMs, endedAtMs, failure } = span;
  const parent = parentSpanId === undefined ? '' : `"parentSpanId":"${parentSpanId}",`;
  const outcome =
    failure === undefined
      ? `{"code":${status.unset}}`
      : `{"code":${status.error},"message":${JSON.stringify(failure)}}`;
  return `{"traceId":"${traceId}","spanId":"${spanId}",${parent}${traits},"startTimeUnixNano":"${nanoseconds(startedAtMs)}","endTimeUnixNano":"${nanoseconds(endedAtMs)}","status":${outcome}}`;
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

function encodeValue(value: unknown): string {
  if (typeof value === 'boolean') return `{"boolValue":${value}}`;
  if (typeof value === 'number')
    return Number.isInteger(value) ? `{"intValue":"${value}"}` : `{"doubleValue":${value}}`;
  if (Array.isArray(value))
    return `{"arrayValue":{"values":[${value.map((item) => encodeValue(item ?? '')).join(',')}]}}`;
  return `{"stringValue":${JSON.stringify(String(value ?? ''))}}`;
}
