import type { Logger } from '@rubrica/process';
import type { Ledger, QueueItem } from './ledger.ts';
import { createPacer } from './pacer.ts';
import type { SlotLimits, Slots } from './slots.ts';

export interface LeaseLoop {
  start(): void;
  /** Signals that work may be due. */
  nudge(): void;
  /** Signals that work could not be leased for lack of capacity. */
  noteBacklog(): void;
  /** Returns whether more may be due than was leased, or a lease in progress may use the capacity. */
  hasBacklog(): boolean;
  /** Signals that a slot of this destination is free. */
  noteRoom(destination: string): void;
  /** Resolves when no lease is in progress and none will follow. */
  stop(): Promise<void>;
}

export interface LeaseLoopDeps<Item extends QueueItem> {
  readonly ledger: Pick<Ledger<Item, never>, 'leaseDue'>;
  readonly slots: Slots;
  readonly limits: SlotLimits;
  readonly leaseMs: number;
  readonly pollMs: number;
  run(item: Item): void;
  readonly logger: Pick<Logger, 'warn'>;
}

const maxLeases = 100;

/**
 * Creates the loop that leases due work: when nudged, when capacity becomes free while more is due, and at each poll at
 * the latest.
 */
export function createLeaseLoop<Item extends QueueItem>(deps: LeaseLoopDeps<Item>): LeaseLoop {
  const { ledger, limits, leaseMs, logger, slots } = deps;
  const pacer = createPacer(deps.pollMs);
  const perDestination = limits.inHandPerDestination;
  let stopping = false;
  let loop: Promise<void> | undefined;
  /** More may be due than there was capacity for, so that free capacity triggers a lease. */
  let backlog = false;
  let isLeasing = false;

  async function lease(): Promise<void> {
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
    for (const item of leased) {
      // Capacity may have been reserved in the meantime. Exceeding the limit by one lease is better than idling until
      // the lease ends.
      slots.take(item);
      deps.run(item);
    }
    backlog = leased.length > 0 || !hasRoomEverywhere;
  }

  async function leaseUntilStopped(): Promise<void> {
    while (!stopping) {
      isLeasing = true;
      await lease().catch((err: unknown) => logger.warn({ err }, 'lease of due work failed'));
      isLeasing = false;
      await pacer.pause();
    }
  }

  return {
    start() {
      loop ??= leaseUntilStopped();
    },
    nudge: pacer.nudge,
    noteBacklog() {
      backlog = true;
    },
    hasBacklog: () => backlog || isLeasing,
    noteRoom(destination) {
      // Waits for half of the capacity: a lease per free slot would cost a round trip per item.
      if (backlog && slots.left(destination) >= perDestination / 2) pacer.nudge();
    },
    async stop() {
      stopping = true;
      pacer.nudge();
      await loop;
    },
  };
}
