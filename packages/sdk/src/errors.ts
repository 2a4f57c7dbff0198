import type { ErrorCode, ErrorObject } from './api.ts';

/** Code of the service, or of this client for a call without an answer. */
export type RubricaErrorCode = ErrorCode | 'NETWORK_ERROR' | 'TIMEOUT' | 'UNEXPECTED_ANSWER';

export type ErrorDetail = ErrorObject['errors'][number];

export interface RubricaErrorContent {
  readonly message: string;
  readonly code: RubricaErrorCode;
  /** Status of the HTTP answer; undefined if there was none. */
  readonly status?: number | undefined;
  /** Descriptions of all faults, in the requested language. */
  readonly messages?: readonly string[] | undefined;
  /** All faults, each with its field. */
  readonly errors?: readonly ErrorDetail[] | undefined;
  /** Id to quote to support. */
  readonly traceId?: string | undefined;
  /** Documentation page of the code. */
  readonly docUrl?: string | undefined;
  /** Time that the service asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The call may have been carried out although it failed: get the status before you repeat it. */
  readonly outcomeUnknown?: boolean | undefined;
  readonly cause?: unknown;
  /** Time of the answer, in milliseconds since 1970, by the clock of the service. */
  readonly answeredAtMs?: number | undefined;
}

/** Rejection of every call that does not succeed, unless its own signal aborted it. */
export class RubricaError extends Error {
  override readonly name = 'RubricaError';
  readonly code: RubricaErrorCode;
  readonly status: number | undefined;
  readonly messages: readonly string[];
  readonly errors: readonly ErrorDetail[];
  readonly traceId: string | undefined;
  readonly docUrl: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly outcomeUnknown: boolean;
  readonly answeredAtMs: number | undefined;

  constructor(content: RubricaErrorContent) {
    super(content.message, content.cause === undefined ? undefined : { cause: content.cause });
    this.code = content.code;
    this.status = content.status;
    this.messages = content.messages ?? [content.message];
    this.errors = content.errors ?? [];
    this.traceId = content.traceId;
    this.docUrl = content.docUrl;
    this.retryAfterMs = content.retryAfterMs;
    this.outcomeUnknown = content.outcomeUnknown ?? false;
    this.answeredAtMs = content.answeredAtMs;
  }
}

/** Returns the same error for a call of which an earlier attempt may have been carried out. */
export function withUnknownOutcome(error: RubricaError): RubricaError {
  if (error.outcomeUnknown) return error;
  const { message, code, status, messages, errors, traceId, docUrl, retryAfterMs, answeredAtMs, cause } =
    error;
  const kept = {
    message,
    code,
    status,
    messages,
    errors,
    traceId,
    docUrl,
    retryAfterMs,
    answeredAtMs,
    cause,
  };
  return new RubricaError({ ...kept, outcomeUnknown: true });
}
