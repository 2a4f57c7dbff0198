export interface OwnerWatch {
  /** Records that this copy or another owns the lock. */
  seen(): void;
  /** Tells whether no owner was seen for a while: this copy could not ask, or could not keep the lock that it took. */
  isMissing(): boolean;
}

/** Creates a watch that remembers when a lock that one of many copies holds was last in use. */
export function createOwnerWatch(afterMs: number): OwnerWatch {
  let seenAt = performance.now();
  return {
    seen() {
      seenAt = performance.now();
    },
    isMissing: () => performance.now() - seenAt > afterMs,
  };
}
