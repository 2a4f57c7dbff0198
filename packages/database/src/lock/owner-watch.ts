export interface OwnerWatch {
  /** This copy owns the lock, or another does. */
  seen(): void;
  /** Nobody is known to have owned the lock for a while: this copy could not ask, or what it took it could not keep. */
  isMissing(): boolean;
}

/** Remembers when a lock that one copy of many holds was last seen in use. */
export function createOwnerWatch(afterMs: number): OwnerWatch {
  let seenAt = performance.now();
  return {
    seen() {
      seenAt = performance.now();
    },
    isMissing: () => performance.now() - seenAt > afterMs,
  };
}
