export interface OutgoingSms {
  /** Stable over attempts: a provider that has seen it sends nothing more. */
  readonly id: string;
  /** E.164. */
  readonly to: string;
  readonly text: string;
}

/** How one attempt ended. Errors are plain and name neither number nor text. */
export type SmsOutcome =
  | { outcome: 'ACCEPTED' }
  /** The provider will never take this message. */
  | { outcome: 'REFUSED'; error: string }
  /** Another attempt may succeed, not before `retryAfterMs` where the provider said so. */
  | { outcome: 'UNAVAILABLE'; error: string; retryAfterMs?: number };

/** Hands SMS to a provider. It never throws: every end is an outcome. */
export interface SmsSender {
  send(sms: OutgoingSms): Promise<SmsOutcome>;
  close(): Promise<void>;
}

/** Stands where no provider is set: trying again within a code's minutes would only hide it from operators. */
export const noSmsSender: SmsSender = {
  send: async () => ({ outcome: 'REFUSED', error: 'no SMS provider is configured' }),
  close: async () => undefined,
};
