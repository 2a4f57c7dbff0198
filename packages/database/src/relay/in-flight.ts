import type { OutboxRow } from './relay-sql.ts';

export interface InFlight {
  /** Number of rows that await their answer. */
  readonly size: number;
  /** Tells whether the row is awaited, or acknowledged and not yet returned for marking. */
  has(id: string): boolean;
  start(row: OutboxRow, now: number): void;
  acknowledged(row: OutboxRow): void;
  /** Returns true if the row was still awaited; false if it had been given up. */
  failed(row: OutboxRow): boolean;
  /** Gives up rows without an answer since before `startedBefore`; a late acknowledgement still counts. */
  expire(startedBefore: number): OutboxRow[];
  awaitedIds(): string[];
  /** Returns the rows acknowledged since the last call. */
  takeAcknowledged(): string[];
}

/** Creates the set of rows that are with the publisher and not yet marked. */
export function createInFlight(): InFlight {
  const awaited = new Map<string, { row: OutboxRow; startedAt: number }>();
  let acknowledged = new Set<string>();
  return {
    get size() {
      return awaited.size;
    },
    has: (id) => awaited.has(id) || acknowledged.has(id),
    start: (row, now) => void awaited.set(row.id, { row, startedAt: now }),
    acknowledged(row) {
      awaited.delete(row.id);
      acknowledged.add(row.id);
    },
    failed: (row) => awaited.delete(row.id),
    expire(startedBefore) {
      const expired: OutboxRow[] = [];
      for (const { row, startedAt } of awaited.values()) {
        // In order of start, so the first recent one ends the search.
        if (startedAt >= startedBefore) break;
        expired.push(row);
      }
      for (const { id } of expired) awaited.delete(id);
      return expired;
    },
    awaitedIds: () => [...awaited.keys()],
    takeAcknowledged() {
      const taken = [...acknowledged];
      acknowledged = new Set();
      return taken;
    },
  };
}
