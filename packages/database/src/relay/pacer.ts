export interface Pacer {
  /** Requests a run within `delayMs`; the earliest request counts. */
  request(delayMs: number): void;
  /** Resolves when a requested run is due, at the latest after `idleMs`; never sooner than the gap allows. */
  turn(idleMs: number): Promise<void>;
}

/**
 * Creates the pacer that decides when the relay reads its table. A wake-up after a quiet moment is served immediately;
 * under load runs have a distance of `gapMs`, so that thousands of commits a second cost hundreds of reads.
 */
export function createPacer(options: { gapMs: number; now?: () => number }): Pacer {
  const now = options.now ?? (() => performance.now());
  let requestedAt = Number.POSITIVE_INFINITY;
  let lastTurnAt = Number.NEGATIVE_INFINITY;
  let waiting: { wake: () => void; timer: NodeJS.Timeout; dueAt: number } | undefined;

  const take = () => {
    waiting = undefined;
    requestedAt = Number.POSITIVE_INFINITY;
    lastTurnAt = now();
  };
  const notBeforeGap = (at: number) => Math.max(at, lastTurnAt + options.gapMs);
  return {
    request(delayMs) {
      requestedAt = Math.min(requestedAt, now() + delayMs);
      const due = notBeforeGap(requestedAt);
      if (waiting === undefined || due >= waiting.dueAt) return;
      const { wake, timer } = waiting;
      clearTimeout(timer);
      const waitMs = due - now();
      if (waitMs <= 0) wake();
      else waiting = { wake, dueAt: due, timer: setTimeout(wake, waitMs) };
    },
    async turn(idleMs) {
      const due = notBeforeGap(Math.min(requestedAt, now() + idleMs));
      const waitMs = due - now();
      if (waitMs > 0) {
        await new Promise<void>((wake) => {
          waiting = { wake, dueAt: due, timer: setTimeout(wake, waitMs) };
        });
      }
      take();
    },
  };
}
