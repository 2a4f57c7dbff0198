export interface OutgoingSms {
  /** Stable id over all attempts: a provider that has seen it sends nothing more. */
  readonly id: string;
  /** E.164. */
  readonly to: string;
  readonly text: string;
}

/** Result of one attempt. Errors are plain text and contain neither number nor text. */
export type SmsOutcome =
  | { outcome: 'ACCEPTED' }
  /** The provider will never accept this message. */
  | { outcome: 'REFUSED'; error: string }
  /** Another attempt may succeed, not before `retryAfterMs` if the provider said so. */
  | { outcome: 'UNAVAILABLE'; error: string; retryAfterMs?: number };

/** Sends SMS through a provider. Never throws: every result is an outcome. */
export interface SmsSender {
  send(sms: OutgoingSms): Promise<SmsOutcome>;
  close(): Promise<void>;
}

/**
 * Sender without a provider. It refuses, because retries within a code's minutes would only hide the fault from
 * operators.
 */
export const noSmsSender: SmsSender = {
  send: async () => ({ outcome: 'REFUSED', error: 'no SMS provider is configured' }),
  close: async () => undefined,
};
