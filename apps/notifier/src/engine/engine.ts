import type { Logger } from '@rubrica/process';
import type { Breaker } from './breaker.ts';
import { createClaimLoop } from './claim-loop.ts';
import { createLanes } from './lanes.ts';
import { createRecorder, type Ended } from './recorder.ts';
import { createSlots, type SlotLimits } from './slots.ts';

/** Something to be sent. Room is counted per destination. */
export type Work = { id: string; destination: string; fence: number };

export type ClaimRequest = {
  limit: number;
  perDestination: number;
  /** Destinations in use, which get no more than what is left for them. */
  left: readonly { destination: string; left: number }[];
  leaseMs: number;
};

/** Where the schedule lives. The process holds nothing but what is in hand, whose leases end. */
export type Ledger<Item, Record> = {
  claimDue(request: ClaimRequest): Promise<Item[]>;
  /** @returns per record whether the item was still this worker's */
  record(records: readonly Record[]): Promise<boolean[]>;
  /** Ends the leases of what was claimed and will not be attempted. */
  release(items: readonly Pick<Work, 'id' | 'fence'>[]): Promise<void>;
};

export type EngineDeps<Item extends Work, Known, Record extends Ended> = {
  ledger: Ledger<Item, Record>;
  /** Sends and judges. `known`: what the process need not look up again for a first attempt. */
  attempt(item: Item, known: Known | undefined): Promise<Record>;
  limits: SlotLimits;
  /** The most an attempt takes. */
  attemptMs: number;
  /** Longer by the time that work in hand may wait for its turn and for its record. */
  leaseMs: number;
  pollMs: number;
  logger: Pick<Logger, 'warn'>;
  onAttempt(record: Record): void;
  /** Leaves destinations alone that do not answer; without it all are used freely. */
  health?: Health<Record>;
};

export type Health<Record> = {
  breaker: Breaker;
  /** What an attempt says of its destination; undefined for one that never got there. */
  signOf(record: Record): 'answered' | 'failed' | undefined;
};

export type Engine<Item extends Work, Known> = {
  /** Reserves room for work that is about to be stored as claimed: then `run` it or `giveBack`. */
  tryReserve(destination: string): boolean;
  giveBack(destination: string): void;
  run(item: Item, known?: Known): void;
  /** Something may be due. */
  nudge(): void;
  start(): void;
  /** Claims and starts no more, waits for the attempts under way and their records. */
  stop(): Promise<void>;
  inHand(): number;
};

type InHand<Item, Known> = { item: Item; known: Known | undefined; claimedAt: number };

/** Attempts what the ledger says is due and what is handed over, and records the outcomes in batches. */
export function createEngine<Item extends Work, Known, Record extends Ended>(
  deps: EngineDeps<Item, Known, Record>,
): Engine<Item, Known> {
  const { health, ledger, limits, leaseMs, logger } = deps;
  const slots = createSlots(limits, health?.breaker);
  const records = createRecorder<Record>({ write: ledger.record, leaseMs, logger });
  const lanes = createLanes<InHand<Item, Known>>({ perDestination: limits.perDestination, start });
  const claims = createClaimLoop<Item>({ ...deps, slots, run });
  let stopping = false;

  async function start({ item, known, claimedAt }: InHand<Item, Known>): Promise<void> {
    try {
      // Too late to end within the lease: whoever claims it next would send it at the same time.
      const isTooLate = performance.now() - claimedAt > leaseMs - deps.attemptMs;
      // Given back without an attempt: a wait for a destination that does not answer costs none of its attempts.
      if (isTooLate || health?.breaker.allowed(item.destination) === 0) return await ledger.release([item]);
      const ended = await deps.attempt(item, known);
      noteHealth(item.destination, ended);
      deps.onAttempt(ended);
      // Not awaited: the next attempt starts before this record is on disk, or the ledger would set the pace.
      records.add(ended);
    } catch (err) {
      logger.warn({ err, jobId: item.id }, 'an attempt was lost');
    } finally {
      giveBack(item.destination);
    }
  }

  function run(item: Item, known?: Known): void {
    lanes.enter(item.destination, { item, known, claimedAt: performance.now() });
  }

  function giveBack(destination: string): void {
    slots.release(destination);
    claims.noteRoom(destination);
  }

  function noteHealth(destination: string, ended: Record): void {
    const sign = health?.signOf(ended);
    if (sign === 'failed' && health?.breaker.failed(destination)) {
      logger.warn({ destination }, 'a destination does not answer and is left alone for a while');
      void releaseWaiting(destination);
    }
    if (sign === 'answered' && health?.breaker.answered(destination)) {
      claims.noteBacklog();
      claims.nudge();
    }
  }

  async function releaseWaiting(destination?: string): Promise<void> {
    const waiting = lanes.clear(destination).map(({ item }) => item);
    for (const { destination: of } of waiting) slots.release(of);
    if (waiting.length === 0) return;
    await ledger.release(waiting).catch((err: unknown) => logger.warn({ err }, 'leases could not be ended'));
  }

  return {
    tryReserve(destination) {
      const reserved = !stopping && slots.tryTake(destination);
      if (!reserved) claims.noteBacklog();
      return reserved;
    },
    giveBack,
    run,
    nudge: claims.nudge,
    start: claims.start,
    async stop() {
      stopping = true;
      await releaseWaiting();
      await claims.stop();
      // A claim that was under way may have brought more.
      await releaseWaiting();
      await idle(slots.inUse);
      await records.settled();
    },
    inHand: slots.inUse,
  };
}

/** Attempts end by themselves, within their budget. */
async function idle(inUse: () => number): Promise<void> {
  while (inUse() > 0) await new Promise((resolve) => setTimeout(resolve, 10));
}
