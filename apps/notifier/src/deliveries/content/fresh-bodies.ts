/** Cache of recently built bodies, for attempts that must wait. */
export interface FreshBodies {
  keep(id: string, body: Buffer): void;
  /** Returns the body and removes it. */
  take(id: string): Buffer | undefined;
}

/**
 * Creates the cache. Opening a sealed body costs more than the rest of an attempt, and in a burst most deliveries wait
 * a moment. Limited in bytes; an evicted body is opened from its row instead.
 */
export function createFreshBodies({ maxBytes }: { maxBytes: number }): FreshBodies {
  const bodies = new Map<string, Buffer>();
  let bytes = 0;
  const take = (id: string) => {
    const body = bodies.get(id);
    if (body !== undefined) bytes -= body.length;
    bodies.delete(id);
    return body;
  };
  return {
    keep(id, body) {
      take(id);
      bodies.set(id, body);
      bytes += body.length;
      for (const oldest of bodies.keys()) {
        if (bytes <= maxBytes) break;
        take(oldest);
      }
    },
    take,
  };
}
