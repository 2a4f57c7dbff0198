import type { Logger } from '@rubrica/process';
import type { Ledger, Work } from './engine.ts';
import { createPacer } from './pacer.ts';
import type { SlotLimits, Slots } from './slots.ts';

export type ClaimLoop = {
  start(): void;
  /** Something may be due. */
  nudge(): void;
  /** Something could not be taken for lack of room. */
  noteBacklog(): void;
  /** A place at this destination has become free. */
  noteRoom(destination: string): void;
  /** Resolves when no claim is under way and none will follow. */
  stop(): Promise<void>;
};

export type ClaimLoopDeps<Item extends Work> = {
  ledger: Pick<Ledger<Item, never>, 'claimDue'>;
  slots: Slots;
  limits: SlotLimits;
  leaseMs: number;
  pollMs: number;
  run(item: Item): void;
  logger: Pick<Logger, 'warn'>;
};

const maxClaim = 100;

/** Claims what is due: when nudged, when room becomes free while more is due, and at the latest at each poll. */
export function createClaimLoop<Item extends Work>(deps: ClaimLoopDeps<Item>): ClaimLoop {
  const { ledger, limits, leaseMs, logger, slots } = deps;
  const pacer = createPacer(deps.pollMs);
  const perDestination = limits.inHandPerDestination;
  let stopping = false;
  let loop: Promise<void> | undefined;
  /** More may be due than there was room for, so that room that becomes free is news. */
  let backlog = false;

  async function claim(): Promise<void> {
    const limit = Math.min(slots.free(), maxClaim);
    const left = slots.leftByDestination();
    // What waits for a destination at rest is no news when a place elsewhere becomes free.
    const roomEverywhere = limit > 0 && left.every((entry) => entry.left > 0 || entry.resting);
    const claimed = limit > 0 ? await ledger.claimDue({ limit, perDestination, left, leaseMs }) : [];
    for (const item of claimed) {
      // Room may have been reserved meanwhile; going over the limit by one claim beats idling until the lease ends.
      slots.take(item.destination);
      deps.run(item);
    }
    backlog = claimed.length > 0 || !roomEverywhere;
  }

  async function claimUntilStopped(): Promise<void> {
    while (!stopping) {
      await claim().catch((err: unknown) => logger.warn({ err }, 'what is due could not be claimed'));
      await pacer.pause();
    }
  }

  return {
    start() {
      loop ??= claimUntilStopped();
    },
    nudge: pacer.nudge,
    noteBacklog() {
      backlog = true;
    },
    noteRoom(destination) {
      // Half the room at a time: a claim per freed place would cost a round trip per item.
      if (backlog && slots.left(destination) >= perDestination / 2) pacer.nudge();
    },
    async stop() {
      stopping = true;
      pacer.nudge();
      await loop;
    },
  };
}
