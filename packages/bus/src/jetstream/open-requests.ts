/** Requests for a message that nats-server holds for us, as far as we know. */
export interface OpenRequests {
  size(): number;
  /** Adds a request and returns its number. */
  add(): string;
  /** Removes one request: this one, or the oldest if its number is unknown. Only the count matters. */
  settle(number?: string): void;
  /** Tells whether the number was assigned before the last `forgetAll`. */
  isForgotten(number: string): boolean;
  forgetAll(): void;
  /** Forgets requests without any answer long after nats-server should have ended them: their server is gone. */
  forgetOverdue(): void;
}

export function createOpenPulls(lifetimeMs: number): OpenRequests {
  /** Requests by number, with the time on `performance.now()` at which each is overdue. */
  const deadlines = new Map<string, number>();
  let last = 0;
  let lastForgotten = 0;
  return {
    size: () => deadlines.size,
    add() {
      last += 1;
      const number = String(last);
      deadlines.set(number, performance.now() + lifetimeMs);
      return number;
    },
    settle(number) {
      const key = number !== undefined && deadlines.has(number) ? number : deadlines.keys().next().value;
      if (key !== undefined) deadlines.delete(key);
    },
    isForgotten: (number) => Number(number) <= lastForgotten,
    forgetAll() {
      deadlines.clear();
      lastForgotten = last;
    },
    forgetOverdue() {
      const now = performance.now();
      for (const [number, overdueAt] of deadlines) if (overdueAt <= now) deadlines.delete(number);
    },
  };
}
