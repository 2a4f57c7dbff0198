/** Creates a function that tells whether one more line may be written, of a limited number per period. */
export function createLineLimit({
  most,
  everyMs,
  nowMs = () => performance.now(),
}: {
  readonly most: number;
  readonly everyMs: number;
  readonly nowMs?: () => number;
}): () => boolean {
  let since = Number.NEGATIVE_INFINITY;
  let lines = 0;
  return () => {
    const now = nowMs();
    if (now - since >= everyMs) {
      since = now;
      lines = 0;
    }
    lines += 1;
    return lines <= most;
  };
}
