import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import type { Logger } from '@rubrica/process/log';
import type { Breaker } from './breaker.ts';
import { createDueWork } from './due-work.ts';
import { createLanes } from './lanes.ts';
import type { LaneKey, Ledger, QueueItem } from './ledger.ts';
import { createRecorder, type FinishedAttempt } from './recorder.ts';
import { createSlots, type SlotLimits } from './slots.ts';

export interface SendQueueDeps<Item extends QueueItem, Record extends FinishedAttempt> {
  readonly ledger: Ledger<Item, Record>;
  readonly limits: SlotLimits;
  /** Reserves no capacity while other work waits in the ledger, which alternates between lanes. */
  readonly takesTurns?: boolean;
  /** Maximum duration of an attempt. */
  readonly attemptMs: number;
  /** Longer than an attempt by the time for waiting and recording. */
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly logger: Pick<Logger, 'warn'>;
  /** Pauses destinations that do not answer; without it none is restricted. */
  readonly health?: Health<Record>;
}

export interface Health<Record> {
  readonly breaker: Breaker;
  /** Returns whether the destination answered; undefined for an attempt without a call. */
  signOf(record: Record): 'answered' | 'failed' | undefined;
}

/** Leased item whose attempt starts now. `known` is content that the first attempt need not look up again. */
export interface ReadyItem<Item, Known> {
  readonly item: Item;
  readonly known: Known | undefined;
}

export interface SendQueue<Item extends QueueItem, Known, Record> {
  /** Reserves capacity for work that is about to be stored as leased: then call `enter` or `unreserve`. */
  tryReserve(lane: LaneKey): boolean;
  unreserve(lane: LaneKey): void;
  /** Takes an item that its caller has leased. */
  enter(item: Item, known?: Known): void;
  /**
   * Yields each leased item when its attempt may start, until the queue has stopped. The reader starts the attempt, does
   * not wait for its end, and calls `finish` when it has ended.
   */
  readonly ready: AsyncIterable<ReadyItem<Item, Known>>;
  /** Takes the record of an attempt, to be written in a batch, and frees its slot. Undefined: the attempt broke. */
  finish(item: Item, record: Record | undefined): void;
  /** Signals that work may be due. */
  nudge(): void;
  start(): void;
  /** Stops leasing and starting, and waits for the attempts in progress and their records. */
  stop(): Promise<void>;
  inHand(): number;
}

interface LeasedItem<Item, Known> extends ReadyItem<Item, Known> {
  readonly leasedAt: number;
}

/** Creates the queue: it leases what is due, takes what callers have leased, and yields both lane by lane. */
export function createSendQueue<Item extends QueueItem, Known, Record extends FinishedAttempt>(
  deps: SendQueueDeps<Item, Record>,
): SendQueue<Item, Known, Record> {
  const { health, ledger, limits, leaseMs, logger } = deps;
  const slots = createSlots(limits, health?.breaker);
  const due = createDueWork<Item>({ ...deps, slots });
  const lanes = createLanes<LeasedItem<Item, Known>>(limits.perDestination);
  const { items: ready, ...output } = createOutput<ReadyItem<Item, Known>>();
  const records = createRecorder<Record>({ write: ledger.record, leaseMs, logger });
  let leasing: Promise<void> | undefined;
  let stopping = false;
  const lateReleases: Promise<void>[] = [];

  async function leaseUntilStopped(): Promise<void> {
    while (!stopping) {
      try {
        for (const item of await due.lease()) enter(item);
      } catch (err) {
        logger.warn({ err }, 'lease of due work failed');
      }
      await due.pause();
    }
  }

  function enter(item: Item, known?: Known): void {
    startNext(lanes.enter(item.destination, { item, known, leasedAt: performance.now() }));
    // Stored after the stop began: its slot would become free only after the previous attempt.
    if (stopping) lateReleases.push(releaseWaiting(item.destination));
  }

  function startNext(next: LeasedItem<Item, Known> | undefined): void {
    if (next === undefined) return;
    const { item, known, leasedAt } = next;
    // The attempt would outlive the lease, and the next worker would send at the same time.
    const isTooLate = performance.now() - leasedAt > leaseMs - deps.attemptMs;
    // Released without an attempt: waiting for a destination that does not answer costs no attempt.
    if (isTooLate || health?.breaker.allowed(item.destination) === 0) void releaseInstead(item);
    else output.add({ item, known });
  }

  async function releaseInstead(item: Item): Promise<void> {
    await ledger.release([item]).catch((err: unknown) => logger.warn({ err }, 'lease release failed'));
    await leave(item);
  }

  async function leave(item: Item): Promise<void> {
    unreserve(item);
    // Attempts that fail in the same tick pause their destination before its next one starts.
    await undefined;
    startNext(lanes.leave(item.destination));
  }

  function unreserve(lane: LaneKey): void {
    slots.release(lane);
    due.noteRoom(lane.destination);
  }

  function noteHealth(destination: string, record: Record): void {
    const signal = health?.signOf(record);
    if (signal === 'failed' && health?.breaker.failed(destination)) {
      logger.warn({ destination }, 'destination paused: no answer');
      void releaseWaiting(destination);
    }
    if (signal === 'answered' && health?.breaker.answered(destination)) {
      due.noteBacklog();
      due.nudge();
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
      const mustWait = stopping || (deps.takesTurns === true && due.hasBacklog());
      const reserved = !mustWait && slots.tryTake(lane);
      if (!reserved) due.noteBacklog();
      return reserved;
    },
    unreserve,
    enter,
    ready,
    finish(item, record) {
      if (record !== undefined) {
        noteHealth(item.destination, record);
        // Not awaited: otherwise, the next attempt would wait for the disk of the ledger.
        records.add(record);
      }
      void leave(item);
    },
    nudge: due.nudge,
    start() {
      leasing ??= leaseUntilStopped();
    },
    async stop() {
      stopping = true;
      // Ended first, or the released items would be leased here again.
      due.nudge();
      await releaseWaiting();
      await leasing;
      // A lease in progress may have brought more.
      await releaseWaiting();
      await waitUntilIdle(slots.inUse);
      await Promise.all(lateReleases);
      await records.settled();
      output.close();
    },
    inHand: slots.inUse,
  };
}

/** Creates a sequence of items, which one reader iterates until it is closed. */
function createOutput<Item>() {
  let controller: ReadableStreamDefaultController<Item> | undefined;
  const items: AsyncIterable<Item> = new ReadableStream<Item>({
    start(created) {
      controller = created;
    },
  });
  return {
    items,
    add: (item: Item) => controller?.enqueue(item),
    close() {
      controller?.close();
      controller = undefined;
    },
  };
}

/** Waits for attempts, which end within their budget. */
async function waitUntilIdle(inUse: () => number): Promise<void> {
  while (inUse() > 0) await new Promise((resolve) => setTimeout(resolve, 10));
}
