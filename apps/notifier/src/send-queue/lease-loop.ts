import type { Logger } from '@rubrica/process';
import type { Ledger, Work } from './ledger.ts';
import { createPacer } from './pacer.ts';
import type { SlotLimits, Slots } from './slots.ts';

export interface LeaseLoop {
  start(): void;
  /** Something may be due. */
  nudge(): void;
  /** Something could not be taken for lack of room. */
  noteBacklog(): void;
  /** Tells whether more may be due than has been leased, or a lease is under way that was promised the room. */
  hasBacklog(): boolean;
  /** A place at this destination has become free. */
  noteRoom(destination: string): void;
  /** Resolves when no lease is under way and none will follow. */
  stop(): Promise<void>;
}

export interface LeaseLoopDeps<Item extends Work> {
  readonly ledger: Pick<Ledger<Item, never>, 'leaseDue'>;
  readonly slots: Slots;
  readonly limits: SlotLimits;
  readonly leaseMs: number;
  readonly pollMs: number;
  run(item: Item): void;
  readonly logger: Pick<Logger, 'warn'>;
}

const maxLeases = 100;

/** Leases what is due: when nudged, when room becomes free while more is due, and at the latest at each poll. */
export function createLeaseLoop<Item extends Work>(deps: LeaseLoopDeps<Item>): LeaseLoop {
  const { ledger, limits, leaseMs, logger, slots } = deps;
  const pacer = createPacer(deps.pollMs);
  const perDestination = limits.inHandPerDestination;
  let stopping = false;
  let loop: Promise<void> | undefined;
  /** More may be due than there was room for, so that room that becomes free is news. */
  let backlog = false;
  let isLeasing = false;

  async function lease(): Promise<void> {
    const limit = Math.min(slots.free(), maxLeases);
    const left = slots.leftByDestination();
    const partners = slots.leftByPartner();
    // What waits for a destination at rest is no news when a place elsewhere becomes free.
    const roomEverywhere =
      limit > 0 &&
      left.every((entry) => entry.left > 0 || entry.resting) &&
      partners.every((entry) => entry.left > 0);
    const perPartner = slots.leftForNewPartner();
    const request = { limit, perDestination, left, perPartner, partners, leaseMs };
    const leased = limit > 0 ? await ledger.leaseDue(request) : [];
    for (const item of leased) {
      // Room may have been reserved meanwhile; going over the limit by one lease beats idling until the lease ends.
      slots.take(item);
      deps.run(item);
    }
    backlog = leased.length > 0 || !roomEverywhere;
  }

  async function leaseUntilStopped(): Promise<void> {
    while (!stopping) {
      isLeasing = true;
      await lease().catch((err: unknown) => logger.warn({ err }, 'what is due could not be leased'));
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
      // Half the room at a time: a lease per freed place would cost a round trip per item.
      if (backlog && slots.left(destination) >= perDestination / 2) pacer.nudge();
    },
    async stop() {
      stopping = true;
      pacer.nudge();
      await loop;
    },
  };
}
