import type { Logger } from '@rubrica/process';
import type { Breaker } from './breaker.ts';
import { createLanes } from './lanes.ts';
import { createLeaseLoop } from './lease-loop.ts';
import type { Lane, Ledger, Work } from './ledger.ts';
import { createRecorder, type Ended } from './recorder.ts';
import { createSlots, type SlotLimits } from './slots.ts';

export interface SendQueueDeps<Item extends Work, Known, Record extends Ended> {
  readonly ledger: Ledger<Item, Record>;
  /** Sends and judges. `known`: what the process need not look up again for a first attempt. */
  attempt(item: Item, known: Known | undefined): Promise<Record>;
  readonly limits: SlotLimits;
  /** Reserves no room while other work waits in the ledger, which gives it out in turn. */
  readonly takesTurns?: boolean;
  /** The most an attempt takes. */
  readonly attemptMs: number;
  /** Longer by the time that work in hand may wait for its turn and for its record. */
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly logger: Pick<Logger, 'warn'>;
  onAttempt(record: Record): void;
  /** Leaves destinations alone that do not answer; without it all are used freely. */
  readonly health?: Health<Record>;
}

export interface Health<Record> {
  readonly breaker: Breaker;
  /** Whether the destination answered; undefined for an attempt that did not call it. */
  signOf(record: Record): 'answered' | 'failed' | undefined;
}

export interface SendQueue<Item extends Work, Known> {
  /** Reserves room for work that is about to be stored as leased: then `run` it or `giveBack`. */
  tryReserve(lane: Lane): boolean;
  giveBack(lane: Lane): void;
  run(item: Item, known?: Known): void;
  /** Something may be due. */
  nudge(): void;
  start(): void;
  /** Leases and starts no more, waits for the attempts under way and their records. */
  stop(): Promise<void>;
  inHand(): number;
}

type InHand<Item, Known> = { item: Item; known: Known | undefined; leasedAt: number };

/** Attempts what the ledger says is due and what is handed over, and records the outcomes in batches. */
export function createSendQueue<Item extends Work, Known, Record extends Ended>(
  deps: SendQueueDeps<Item, Known, Record>,
): SendQueue<Item, Known> {
  const { health, ledger, limits, leaseMs, logger } = deps;
  const slots = createSlots(limits, health?.breaker);
  const records = createRecorder<Record>({ write: ledger.record, leaseMs, logger });
  const lanes = createLanes<InHand<Item, Known>>({ perDestination: limits.perDestination, start });
  const leases = createLeaseLoop<Item>({ ...deps, slots, run });
  let stopping = false;
  const lateReleases: Promise<void>[] = [];

  async function start({ item, known, leasedAt }: InHand<Item, Known>): Promise<void> {
    try {
      // Too late to end within the lease: the next to lease it would send it at the same time.
      const isTooLate = performance.now() - leasedAt > leaseMs - deps.attemptMs;
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
      giveBack(item);
    }
  }

  function run(item: Item, known?: Known): void {
    lanes.enter(item.destination, { item, known, leasedAt: performance.now() });
    // Stored while the stop had begun: its turn would come only when the attempt before it has ended.
    if (stopping) lateReleases.push(releaseWaiting(item.destination));
  }

  function giveBack(lane: Lane): void {
    slots.release(lane);
    leases.noteRoom(lane.destination);
  }

  function noteHealth(destination: string, ended: Record): void {
    const sign = health?.signOf(ended);
    if (sign === 'failed' && health?.breaker.failed(destination)) {
      logger.warn({ destination }, 'a destination does not answer and is left alone for a while');
      void releaseWaiting(destination);
    }
    if (sign === 'answered' && health?.breaker.answered(destination)) {
      leases.noteBacklog();
      leases.nudge();
    }
  }

  async function releaseWaiting(destination?: string): Promise<void> {
    const waiting = lanes.clear(destination).map(({ item }) => item);
    for (const item of waiting) slots.release(item);
    if (waiting.length === 0) return;
    await ledger.release(waiting).catch((err: unknown) => logger.warn({ err }, 'leases could not be ended'));
  }

  return {
    tryReserve(lane) {
      const mustWait = stopping || (deps.takesTurns === true && leases.hasBacklog());
      const reserved = !mustWait && slots.tryTake(lane);
      if (!reserved) leases.noteBacklog();
      return reserved;
    },
    giveBack,
    run,
    nudge: leases.nudge,
    start: leases.start,
    async stop() {
      stopping = true;
      // First, or what is given back here would be leased here again.
      const leasing = leases.stop();
      await releaseWaiting();
      await leasing;
      // A lease that was under way may have brought more.
      await releaseWaiting();
      await idle(slots.inUse);
      await Promise.all(lateReleases);
      await records.settled();
    },
    inHand: slots.inUse,
  };
}

/** Attempts end by themselves, within their budget. */
async function idle(inUse: () => number): Promise<void> {
  while (inUse() > 0) await new Promise((resolve) => setTimeout(resolve, 10));
}
