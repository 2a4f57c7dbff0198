/** The requests for a message that nats-server holds for us, as far as we know. */
export interface StandingRequests {
  size(): number;
  /** Returns the new request's number. */
  add(): string;
  /** One request is over: this one, or, when it is not known which, the oldest. The count is what matters. */
  settle(number?: string): void;
  /** Whether the number was given before the last `forgetAll`. */
  isForgotten(number: string): boolean;
  forgetAll(): void;
  /** Forgets requests without any answer long after nats-server should have ended them: their server is gone. */
  forgetOverdue(): void;
}

export function createStandingRequests(lifetimeMs: number): StandingRequests {
  /** By number, with the time on `performance.now()` at which each is overdue. */
  const standing = new Map<string, number>();
  let last = 0;
  let lastForgotten = 0;
  return {
    size: () => standing.size,
    add() {
      last += 1;
      const number = String(last);
      standing.set(number, performance.now() + lifetimeMs);
      return number;
    },
    settle(number) {
      const key = number !== undefined && standing.has(number) ? number : standing.keys().next().value;
      if (key !== undefined) standing.delete(key);
    },
    isForgotten: (number) => Number(number) <= lastForgotten,
    forgetAll() {
      standing.clear();
      lastForgotten = last;
    },
    forgetOverdue() {
      const now = performance.now();
      for (const [number, overdueAt] of standing) if (overdueAt <= now) standing.delete(number);
    },
  };
}
