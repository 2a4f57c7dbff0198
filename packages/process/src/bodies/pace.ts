/** Minimum speed of the other side of a connection. */
export interface Pace {
  readonly bytesPerSecond: number;
  /** Measuring period: short breaks are allowed. */
  readonly windowMs: number;
}

export interface PaceWatch {
  arrived(bytes: number): void;
  /** Excludes the current window, because the sender waits for us. */
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
