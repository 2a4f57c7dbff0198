import type { Logger } from '@rubrica/process';
import type { Breaker } from './breaker.ts';
import { createLanes } from './lanes.ts';
import { createLeaseLoop } from './lease-loop.ts';
import type { LaneKey, Ledger, QueueItem } from './ledger.ts';
import { createRecorder, type FinishedAttempt } from './recorder.ts';
import { createSlots, type SlotLimits } from './slots.ts';

export interface SendQueueDeps<Item extends QueueItem, Known, Record extends FinishedAttempt> {
  readonly ledger: Ledger<Item, Record>;
  /** Sends and judges. `known` is content that the first attempt need not look up again. */
  attempt(item: Item, known: Known | undefined): Promise<Record>;
  readonly limits: SlotLimits;
  /** Reserves no capacity while other work waits in the ledger, which alternates between lanes. */
  readonly takesTurns?: boolean;
  /** Maximum duration of an attempt. */
  readonly attemptMs: number;
  /** Longer than an attempt by the time for waiting and recording. */
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly logger: Pick<Logger, 'warn'>;
  onAttempt(record: Record): void;
  /** Pauses destinations that do not answer; without it none is restricted. */
  readonly health?: Health<Record>;
}

export interface Health<Record> {
  readonly breaker: Breaker;
  /** Returns whether the destination answered; undefined for an attempt without a call. */
  signOf(record: Record): 'answered' | 'failed' | undefined;
}

export interface SendQueue<Item extends QueueItem, Known> {
  /** Reserves capacity for work that is about to be stored as leased: then call `run` or `giveBack`. */
  tryReserve(lane: LaneKey): boolean;
  giveBack(lane: LaneKey): void;
  run(item: Item, known?: Known): void;
  /** Signals that work may be due. */
  nudge(): void;
  start(): void;
  /** Stops leasing and starting, and waits for the attempts in progress and their records. */
  stop(): Promise<void>;
  inHand(): number;
}

type LeasedItem<Item, Known> = { item: Item; known: Known | undefined; leasedAt: number };

/**
 * Creates the queue: it attempts what the ledger leases and what callers hand over, and records the outcomes in
 * batches.
 */
export function createSendQueue<Item extends QueueItem, Known, Record extends FinishedAttempt>(
  deps: SendQueueDeps<Item, Known, Record>,
): SendQueue<Item, Known> {
  const { health, ledger, limits, leaseMs, logger } = deps;
  const slots = createSlots(limits, health?.breaker);
  const records = createRecorder<Record>({ write: ledger.record, leaseMs, logger });
  const lanes = createLanes<LeasedItem<Item, Known>>({ perDestination: limits.perDestination, start });
  const leases = createLeaseLoop<Item>({ ...deps, slots, run });
  let stopping = false;
  const lateReleases: Promise<void>[] = [];

  async function start({ item, known, leasedAt }: LeasedItem<Item, Known>): Promise<void> {
    try {
      // The attempt would outlive the lease, and the next worker would send at the same time.
      const isTooLate = performance.now() - leasedAt > leaseMs - deps.attemptMs;
      // Released without an attempt: waiting for a destination that does not answer costs no attempt.
      if (isTooLate || health?.breaker.allowed(item.destination) === 0) return await ledger.release([item]);
      const record = await deps.attempt(item, known);
      noteHealth(item.destination, record);
      deps.onAttempt(record);
      // Not awaited: otherwise, the next attempt would wait for the disk of the ledger.
      records.add(record);
    } catch (err) {
      logger.warn({ err, jobId: item.id }, 'attempt lost');
    } finally {
      giveBack(item);
    }
  }

  function run(item: Item, known?: Known): void {
    lanes.enter(item.destination, { item, known, leasedAt: performance.now() });
    // Stored after the stop began: its slot would become free only after the previous attempt.
    if (stopping) lateReleases.push(releaseWaiting(item.destination));
  }

  function giveBack(lane: LaneKey): void {
    slots.release(lane);
    leases.noteRoom(lane.destination);
  }

  function noteHealth(destination: string, record: Record): void {
    const signal = health?.signOf(record);
    if (signal === 'failed' && health?.breaker.failed(destination)) {
      logger.warn({ destination }, 'destination paused: no answer');
      void releaseWaiting(destination);
    }
    if (signal === 'answered' && health?.breaker.answered(destination)) {
      leases.noteBacklog();
      leases.nudge();
    }
  }

  async function releaseWaiting(destination?: string): Promise<void> {
    const waiting = lanes.clear(destination).map(({ item }) => item);
    for (const item of waiting) slots.release(item);
    if (waiting.length === 0) return;
    await ledger.release(waiting).catch((err: unknown) => logger.warn({ err }, 'lease release failed'));
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
      // Stopped first, or the released items would be leased here again.
      const leasing = leases.stop();
      await releaseWaiting();
      await leasing;
      // A lease in progress may have brought more.
      await releaseWaiting();
      await waitUntilIdle(slots.inUse);
      await Promise.all(lateReleases);
      await records.settled();
    },
    inHand: slots.inUse,
  };
}

/** Waits for attempts, which end within their budget. */
async function waitUntilIdle(inUse: () => number): Promise<void> {
  while (inUse() > 0) await new Promise((resolve) => setTimeout(resolve, 10));
}
