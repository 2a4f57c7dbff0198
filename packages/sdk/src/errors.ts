import type { ErrorCode, ErrorObject } from './api.ts';

/** What the service says of an error, or what is said here of a call that brought no answer of its own. */
export type RubricaErrorCode = ErrorCode | 'NETWORK_ERROR' | 'TIMEOUT' | 'UNEXPECTED_ANSWER';

export type ErrorDetail = ErrorObject['errors'][number];

export interface RubricaErrorContent {
  readonly message: string;
  readonly code: RubricaErrorCode;
  /** Of the HTTP answer; undefined where none came. */
  readonly status?: number | undefined;
  /** All faults in words, in the language asked for. */
  readonly messages?: readonly string[] | undefined;
  /** All faults, each with its field. */
  readonly errors?: readonly ErrorDetail[] | undefined;
  /** To be quoted to support. */
  readonly traceId?: string | undefined;
  /** Page about the code. */
  readonly docUrl?: string | undefined;
  /** How long the service asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The call may have been carried out although it failed: ask for the status before you make it again. */
  readonly outcomeUnknown?: boolean | undefined;
  readonly cause?: unknown;
  /** Of the answer, in milliseconds since 1970, by the clock of the service. */
  readonly answeredAtMs?: number | undefined;
}

/** Every call that does not succeed rejects with one of these, unless its own signal aborted it. */
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

/** The same error, of a call of which an earlier attempt may have been carried out. */
export function ofUnknownOutcome(error: RubricaError): RubricaError {
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
