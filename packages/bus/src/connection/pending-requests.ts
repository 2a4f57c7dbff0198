import type { Msg } from 'nats';
import type { FailureReason } from '../wire/failures.ts';
import { renewMap } from '../wire/renew-map.ts';

export interface PendingRequest {
  readonly subject: string;
  /** Deadline on the clock of `performance.now()`. */
  readonly expiresAt: number;
  /**
   * Handles a reply. Exactly one of `onReply` and `onFailure` ends the request, once, unless it is forgotten first.
   * @returns false for an answer to another request: this one continues to wait
   */
  onReply(message: Msg): boolean;
  onFailure(reason: FailureReason, cause?: Error): void;
}

export interface PendingRequests {
  add(replySubject: string, request: PendingRequest): void;
  /** Removes and returns the request. */
  take(replySubject: string): PendingRequest | undefined;
  failWhere(matches: (request: PendingRequest) => boolean, reason: FailureReason): void;
  size(): number;
}

/**
 * Interval of the one timer for all requests: a timer per request costs more than the call. Time-outs are late by at
 * most this.
 */
const tickMs = 20;

/**
 * Creates the set of requests that wait for an answer, by reply subject. A request that throws in its own callback
 * harms no other.
 */
export function createPendingRequests(fault: (error: unknown, where: string) => void): PendingRequests {
  let pending = new Map<string, PendingRequest>();
  let ticking = false;

  const failWhere: PendingRequests['failWhere'] = (matches, reason) => {
    for (const [replySubject, request] of pending) {
      if (!matches(request) || !pending.delete(replySubject)) continue;
      try {
        request.onFailure(reason);
      } catch (error) {
        fault(error, `request to ${request.subject}`);
      }
    }
  };
  // Ticks only while something is pending, and once more, so that single calls do not restart it each time.
  const tick = () => {
    ticking = pending.size > 0;
    if (!ticking) return;
    const now = performance.now();
    failWhere(({ expiresAt }) => expiresAt <= now, 'timeout');
    setTimeout(tick, tickMs);
  };

  return {
    add(replySubject, request) {
      pending = renewMap(pending);
      pending.set(replySubject, request);
      if (ticking) return;
      ticking = true;
      setTimeout(tick, tickMs);
    },
    take(replySubject) {
      const request = pending.get(replySubject);
      if (request !== undefined) pending.delete(replySubject);
      return request;
    },
    failWhere,
    size: () => pending.size,
  };
}
