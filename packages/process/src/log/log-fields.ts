/**
 * Allow-list: only these fields reach a log line or a span, and only with text, numbers, booleans and short lists of
 * those. Everything else is dropped and counted in `omitted`. A field that can hold a password, code, token, key, body,
 * address or name of a person must never be added.
 */
const logFieldNames = [
  // who and what
  'caller',
  'certificateId',
  'clientId',
  'deliveryId',
  'eventId',
  'jobId',
  'messageId',
  'operatorId',
  'partnerId',
  'requestId',
  'serialNumber',
  'traceId',
  // where
  'bucket',
  'check',
  'cleanup',
  'component',
  'consumer',
  'destination',
  'host',
  'issuer',
  'kid',
  'method',
  'migration',
  'origin',
  'path',
  'peer',
  'port',
  'procedure',
  'queue',
  'route',
  'schema',
  'signal',
  'stream',
  'subject',
  'table',
  'template',
  'version',
  // what happened
  'action',
  'algorithm',
  'appCode',
  'channel',
  'checkpoint',
  'code',
  'event',
  'exitCode',
  'family',
  'fromState',
  'outcome',
  'reason',
  'state',
  'status',
  'step',
  'toState',
  // how much
  'attempt',
  'bytes',
  'count',
  'deadlineMs',
  'delayMs',
  'durationMs',
  'fence',
  'lag',
  'limit',
  'pending',
  'retryAfterSeconds',
  'retryCount',
  'sequence',
  'slots',
] as const;

type LogFieldName = (typeof logFieldNames)[number];
type LogScalar = string | number | boolean | null | undefined;

export type LogFields = { [Name in LogFieldName]?: LogScalar | readonly LogScalar[] } & {
  /** Failure: its kind, code and stack frames are logged, its message only if it is safe. */
  err?: unknown;
};

const allowed: ReadonlySet<string> = new Set(logFieldNames);
const maxTextLength = 500;
const maxListLength = 20;

/**
 * Copies the fields that may be logged. Types prevent a mistake at compile time; this covers values that come in by a
 * spread.
 */
export function pickLogFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  let omitted = 0;
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined) continue;
    if (name === 'err') picked.err = value;
    else if (allowed.has(name) && isLoggable(value)) picked[name] = shorten(value);
    else omitted += 1;
  }
  if (omitted > 0) picked.omitted = omitted;
  return picked;
}

function isLoggable(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isScalar);
  return isScalar(value);
}

function isScalar(value: unknown): boolean {
  return (
    value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  );
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, maxListLength).map(shorten);
  return typeof value === 'string' && value.length > maxTextLength
    ? `${value.slice(0, maxTextLength)}…`
    : value;
}
