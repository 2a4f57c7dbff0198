export interface StopRequests {
  /** Resolves at the first Ctrl-C, SIGTERM or closed terminal. */
  readonly first: Promise<void>;
  /** Resolves at the second request. */
  readonly second: Promise<void>;
}

/** One Ctrl-C can arrive twice: from the terminal, and from npm, which passes signals on. */
const sameRequestMs = 1_000;

/** Takes over the handling of termination signals from Node's default. */
export function listenForStop(
  emitter: Pick<NodeJS.Process, 'on'> = process,
  now: () => number = () => performance.now(),
): StopRequests {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  let firstAt: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    emitter.on(signal, () => {
      if (firstAt === undefined) {
        firstAt = now();
        first.resolve();
      } else if (now() - firstAt > sameRequestMs) second.resolve();
    });
  }
  return { first: first.promise, second: second.promise };
}
