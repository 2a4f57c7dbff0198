/** The slowest that the other side of a connection may be. */
export interface Pace {
  readonly bytesPerSecond: number;
  /** The time over which it is measured: a short break is nobody's fault. */
  readonly windowMs: number;
}

export interface PaceWatch {
  arrived(bytes: number): void;
  /** The sender waits for us: this window does not count. */
  excuse(): void;
  stop(): void;
}

/** Calls `tooSlow` once a whole window brought less than the pace. */
export function watchPace({ bytesPerSecond, windowMs }: Pace, tooSlow: () => void): PaceWatch {
  const leastBytes = (bytesPerSecond * windowMs) / 1000;
  let arrived = 0;
  let isExcused = false;
  const timer = setInterval(() => {
    if (!isExcused && arrived < leastBytes) tooSlow();
    arrived = 0;
    isExcused = false;
  }, windowMs);
  timer.unref();
  return {
    arrived: (bytes) => {
      arrived += bytes;
    },
    excuse: () => {
      isExcused = true;
    },
    stop: () => clearInterval(timer),
  };
}
