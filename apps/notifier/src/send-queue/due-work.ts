import type { Ledger, QueueItem } from './ledger.ts';
import type { SlotLimits, Slots } from './slots.ts';

/** Work of the ledger that is due, as far as there is capacity for it. */
export interface DueWork<Item> {
  /** Leases due work and takes its slots. */
  lease(): Promise<Item[]>;
  /** Waits for a nudge or until the poll is due; a nudge during a lease is not lost. */
  pause(): Promise<void>;
  /** Signals that work may be due. */
  nudge(): void;
  /** Signals that a slot of this destination is free. */
  noteRoom(destination: string): void;
  /** Notes that work could not be leased for lack of capacity. */
  noteBacklog(): void;
  /** Returns whether more may be due than was leased, or a lease in progress may use the capacity. */
  hasBacklog(): boolean;
}

export interface DueWorkDeps<Item extends QueueItem> {
  readonly ledger: Pick<Ledger<Item, never>, 'leaseDue'>;
  readonly slots: Slots;
  readonly limits: SlotLimits;
  readonly leaseMs: number;
  readonly pollMs: number;
}

const maxLeases = 100;

/** Creates the source of due work. Its wake-ups: a nudge, capacity that becomes free while more is due, and each poll. */
export function createDueWork<Item extends QueueItem>(deps: DueWorkDeps<Item>): DueWork<Item> {
  const { ledger, limits, leaseMs, slots } = deps;
  const perDestination = limits.inHandPerDestination;
  const pacer = createPacer(deps.pollMs);
  /** More may be due than there was capacity for, so that free capacity triggers a lease. */
  let backlog = false;
  let isLeasing = false;

  async function lease(): Promise<Item[]> {
    const limit = Math.min(slots.free(), maxLeases);
    const left = slots.leftByDestination();
    const partners = slots.leftByPartner();
    // Work for a paused destination does not count when a slot of another becomes free.
    const hasRoomEverywhere =
      limit > 0 &&
      left.every((entry) => entry.left > 0 || entry.resting) &&
      partners.every((entry) => entry.left > 0);
    const perPartner = slots.leftForNewPartner();
    const request = { limit, perDestination, left, perPartner, partners, leaseMs };
    const leased = limit > 0 ? await ledger.leaseDue(request) : [];
    // Capacity may have been reserved in the meantime. Exceeding the limit by one lease is better than idling until the
    // lease ends.
    for (const item of leased) slots.take(item);
    backlog = leased.length > 0 || !hasRoomEverywhere;
    return leased;
  }

  return {
    async lease() {
      isLeasing = true;
      try {
        return await lease();
      } finally {
        isLeasing = false;
      }
    },
    ...pacer,
    noteRoom(destination) {
      // Waits for half of the capacity: a lease per free slot would cost a round trip per item.
      if (backlog && slots.left(destination) >= perDestination / 2) pacer.nudge();
    },
    noteBacklog() {
      backlog = true;
    },
    hasBacklog: () => backlog || isLeasing,
  };
}

function createPacer(pollMs: number) {
  let nudged = false;
  let wake: (() => void) | undefined;
  return {
    nudge() {
      nudged = true;
      wake?.();
    },
    async pause(): Promise<void> {
      if (!nudged) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pollMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = undefined;
      }
      nudged = false;
    },
  };
}
