/** Bodies made moments ago, for attempts that did not find room at once. */
export interface FreshBodies {
  keep(id: string, body: Buffer): void;
  /** Hands the body over and forgets it. */
  take(id: string): Buffer | undefined;
}

/**
 * Opening a sealed body costs more than the rest of an attempt, and in a burst most deliveries wait a moment for
 * their turn. Bounded in bytes; what is pushed out is opened from its row instead.
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
