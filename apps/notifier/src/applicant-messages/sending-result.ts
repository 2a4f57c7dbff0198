/** Result of one attempt. Errors are plain text without recipient or content. */
export type SendingResult =
  | { outcome: 'SENT'; error: null }
  | { outcome: 'REFUSED' | 'SUPERSEDED'; error: string }
  | { outcome: 'UNAVAILABLE' | 'NOT_PREPARED'; error: string; retryAfterMs?: number };

/** Error of a message whose link or code expires before it could arrive. */
export const messageExpiredError = 'it had expired before it could be sent';
