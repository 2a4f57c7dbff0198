import type { ErrorCode, ErrorObject } from '../api.ts';
import { RubricaError, type RubricaErrorCode } from '../errors.ts';
import type { Answer } from './exchange.ts';

/** Codes for the status of a proxy in front of the service, if the answer is not the service's own. */
const statusCodes: Readonly<Record<number, ErrorCode>> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  413: 'BODY_TOO_LARGE',
  429: 'RATE_LIMITED',
  502: 'SERVICE_UNAVAILABLE',
  503: 'SERVICE_UNAVAILABLE',
  504: 'SERVICE_UNAVAILABLE',
};

/** Converts an answer that is not a success to an error. */
export function readError(answer: Answer): RubricaError {
  const { status, headers } = answer;
  const own = isErrorObject(answer.body) ? answer.body : undefined;
  const code: RubricaErrorCode = own?.code ?? statusCodes[status] ?? 'UNEXPECTED_ANSWER';
  return new RubricaError({
    message: own?.message ?? `the service answered ${status}`,
    code,
    status,
    messages: own?.messages,
    errors: own?.errors,
    traceId: own?.traceId,
    docUrl: own?.docUrl,
    retryAfterMs: retryAfterMs(headers.get('retry-after'), readDate(headers)),
    // A registry that does not answer ends a step before it counts.
    outcomeUnknown: status >= 500 && code !== 'EXTERNAL_SERVICE_UNAVAILABLE',
    answeredAtMs: readDate(headers),
  });
}

function isErrorObject(body: unknown): body is ErrorObject {
  return (
    typeof body === 'object' && body !== null && 'code' in body && 'message' in body && 'traceId' in body
  );
}

function readDate(headers: Headers): number | undefined {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date;
}

/** Parses Retry-After (RFC 9110 §10.2.3): seconds, or a date, which is counted from the date of the answer. */
export function retryAfterMs(header: string | null, answeredAtMs = Date.now()): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // JavaScript accepts nearly everything as a date, even "-5".
  const date = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - answeredAtMs);
}
