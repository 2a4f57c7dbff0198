import { type FailureReason, failures } from '../wire/failures.ts';

/**
 * Codes of JetStream failures.
 *
 * - `unavailable`: no stream takes the subject, JetStream is down, or the bus is not connected.
 * - `timeout`: no acknowledgement came; it may have been stored, so repeat with the same id.
 * - `full`: a stream with `discard: new` is at its limit.
 * - `too-large`: for the bus or for the stream.
 * - `forbidden`: this client may not use the subject.
 * - `missing`: a chunk of an object does not exist.
 * - `corrupt`: an object's chunks differ from what was stored.
 * - `refused`: any other objection of the stream, or a subject, id or header that cannot be sent.
 */
export type JetStreamErrorCode =
  | 'unavailable'
  | 'timeout'
  | 'full'
  | 'too-large'
  | 'forbidden'
  | 'missing'
  | 'corrupt'
  | 'refused';

export interface JetStreamFailure {
  readonly code: JetStreamErrorCode;
  /** `unknown`: the message may have been stored. */
  readonly stored: 'no' | 'unknown';
  readonly subject: string;
  readonly message: string;
  readonly cause?: unknown;
}

export class JetStreamError extends Error {
  override readonly name = 'JetStreamError';
  readonly code: JetStreamErrorCode;
  readonly stored: 'no' | 'unknown';
  readonly subject: string;

  constructor(failure: JetStreamFailure) {
    super(`${failure.subject}: ${failure.message}`, { cause: failure.cause });
    this.code = failure.code;
    this.stored = failure.stored;
    this.subject = failure.subject;
  }
}

/** Error numbers of the server, by their meaning for the caller. */
const codeOfApiError: Readonly<Record<number, JetStreamErrorCode>> = {
  10077: 'full', // stream store failed: maximum messages, bytes or messages per subject
  10047: 'full', // storage resources exceeded
  10023: 'full', // insufficient resources
  10054: 'too-large', // message exceeds the stream's maximum size
  10076: 'unavailable', // JetStream not enabled
  10039: 'unavailable', // JetStream not enabled for the account
  10008: 'unavailable', // cluster without leader
};

const codeOfReason: Partial<Record<FailureReason, JetStreamErrorCode>> = {
  timeout: 'timeout',
  'connection-lost': 'timeout',
  'payload-too-large': 'too-large',
  refused: 'forbidden',
  'no-responders': 'unavailable',
  disconnected: 'unavailable',
  closed: 'unavailable',
};

export interface ApiError {
  readonly err_code?: number;
  readonly description?: string;
}

export function fromApiError(subject: string, error: ApiError): JetStreamError {
  const code = codeOfApiError[error.err_code ?? 0] ?? 'refused';
  return new JetStreamError({ code, stored: 'no', subject, message: error.description ?? 'refused' });
}

export function fromFailureReason(subject: string, reason: FailureReason, cause?: Error): JetStreamError {
  const { message, started } = failures[reason];
  return new JetStreamError({
    code: codeOfReason[reason] ?? 'refused',
    stored: started,
    subject,
    message,
    cause,
  });
}
