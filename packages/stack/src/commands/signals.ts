export interface StopRequests {
  /** Resolves at the first Ctrl-C, SIGTERM or closed terminal. */
  readonly first: Promise<void>;
  readonly second: Promise<void>;
  requested(): boolean;
}

/** From this call on the process decides itself what a signal to end means. */
export function listenForStop(): StopRequests {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  let count = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      count += 1;
      if (count === 1) first.resolve();
      else second.resolve();
    });
  }
  return { first: first.promise, second: second.promise, requested: () => count > 0 };
}
