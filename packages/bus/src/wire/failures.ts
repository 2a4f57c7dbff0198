/** Reasons why a request got no answer, and what is known about the other side. */
export const failures = {
  'no-responders': {
    code: 'SERVICE_UNAVAILABLE',
    started: 'no',
    message: 'Nobody serves this subject right now',
  },
  disconnected: { code: 'SERVICE_UNAVAILABLE', started: 'no', message: 'The bus is not connected' },
  closed: { code: 'SERVICE_UNAVAILABLE', started: 'no', message: 'The bus is closed' },
  overloaded: {
    code: 'SERVICE_UNAVAILABLE',
    started: 'no',
    message: 'The service is at its limit of running calls',
  },
  'not-opened': {
    code: 'SERVICE_UNAVAILABLE',
    started: 'no',
    message: 'The service could not open the sealed call',
  },
  'connection-lost': {
    code: 'TIMEOUT',
    started: 'unknown',
    message: 'The connection was lost while waiting for the answer',
  },
  timeout: { code: 'TIMEOUT', started: 'unknown', message: 'No answer in time' },
  'deadline-passed': {
    code: 'TIMEOUT',
    started: 'no',
    message: 'The deadline had passed before the call could start',
  },
  aborted: { code: 'CLIENT_CLOSED_REQUEST', started: 'unknown', message: 'The call was aborted' },
  'payload-too-large': {
    code: 'PAYLOAD_TOO_LARGE',
    started: 'no',
    message: 'The message is larger than the bus carries',
  },
  refused: { code: 'FORBIDDEN', started: 'no', message: 'The bus does not let this client use the subject' },
  invalid: { code: 'BAD_REQUEST', started: 'no', message: 'The call cannot be put on the bus' },
  unsupported: { code: 'METHOD_NOT_SUPPORTED', started: 'no', message: 'The bus carries no subscriptions' },
  'malformed-answer': { code: 'BAD_GATEWAY', started: 'unknown', message: 'The answer cannot be read' },
} as const;

export type FailureReason = keyof typeof failures;

/** Reason why the server, not the procedure, ended a call. */
export type BusVerdict = Extract<FailureReason, 'overloaded' | 'deadline-passed' | 'timeout' | 'not-opened'>;
