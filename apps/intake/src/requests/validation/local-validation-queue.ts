import type { Message } from '@rubrica/contracts/messages/messages';
import { createFairQueue, ownerShare } from '@rubrica/wiring/shares';
import type { RequestFiles } from '../evidence/evidence-file.ts';
import { requestLeaseSeconds } from '../request/request-lease.ts';
import type { ValidationContext } from './begin-validation.ts';
import { createPartnerShares } from './partner-shares.ts';

/** Validation that has begun, with what is known of its request. */
export interface PendingValidation {
  readonly job: Message<'jobs.validation.requested'>;
  readonly begun: ValidationContext;
  /** Files that need not be read. */
  readonly files?: RequestFiles | undefined;
}

/** Slot for one validation, reserved before its request is registered. */
export interface SlotReservation {
  /** True if its files may wait in memory with it; else they are read when it runs. */
  readonly holdsFiles: boolean;
  /** Queues the validation. */
  start(validation: PendingValidation): void;
  /** Releases the slot of a request that was not registered. */
  release(): void;
}

/** Validations that this copy runs for the requests that it registers itself. */
export interface LocalValidationQueue {
  /**
   * Reserves a slot.
   * @param partnerId partner whose share of the slots it counts to
   * @returns undefined if there is no slot: the request's job then waits in its stream
   */
  reserve(bytes: number, partnerId: string): SlotReservation | undefined;
  /** Accepts no more, hands over those that wait, and resolves when the others are over. */
  stop(): Promise<void>;
}

export interface ValidationQueueDeps {
  /** Validations of the requests that this copy registers. */
  readonly validations: LocalValidationQueue;
}

/** Work on the validations: `createLocalValidationWork` of `validate-request.ts`. None of it rejects. */
export interface LocalValidationWork {
  validate(validation: PendingValidation): Promise<void>;
  /** Leaves a queued validation to the copy that receives its job. */
  handOver(validation: PendingValidation): Promise<void>;
  /** Prolongs the leases of queued validations. */
  renew(waiting: readonly PendingValidation[]): Promise<void>;
}

interface Options {
  readonly work: LocalValidationWork;
  /** Returns how many run at once; asked again whenever one ends. */
  readonly slots: () => number;
  readonly mostWaiting?: number;
  /** Limit of the files that wait in memory with them. */
  readonly mostBytes?: number;
  /** Time of waiting after which a lease is renewed; it must last for twice that. */
  readonly renewEveryMs?: number;
}

/**
 * Limit of the queue: while calls leave no time for validations, registered requests wait here. After 20 s of
 * that a copy has 190 MB; with 4,096, 210.
 */
const defaultMaxWaiting = 2_048;
const defaultMaxBytes = 24 * 1024 * 1024;
const defaultRenewEveryMs = (requestLeaseSeconds * 1_000) / 3;

interface Waiting {
  readonly validation: PendingValidation;
  readonly partnerId: string;
  readonly bytes: number;
  readonly since: number;
}

/** Creates a bounded queue. Partners are served in rotation, and none has all slots or the whole queue. */
export function createLocalValidationQueue({ work, slots, ...limits }: Options): LocalValidationQueue {
  const bounds = {
    mostWaiting: defaultMaxWaiting,
    mostBytes: defaultMaxBytes,
    renewEveryMs: defaultRenewEveryMs,
    ...limits,
  };
  const waiting = createFairQueue<Waiting>();
  const shares = createPartnerShares(() => bounds.mostWaiting);
  let reserved = 0;
  let bytesHeld = 0;
  let running = 0;
  let renewing: NodeJS.Timeout | undefined;
  let whenEmpty: PromiseWithResolvers<void> | undefined;
  const releaseSlot = ({ bytes, partnerId }: Pick<Waiting, 'bytes' | 'partnerId'>) => {
    reserved -= 1;
    bytesHeld -= bytes;
    shares.leave(partnerId);
    if (reserved === 0) whenEmpty?.resolve();
  };
  const renew = () => {
    const before = performance.now() - bounds.renewEveryMs;
    const overdue = waiting
      .items()
      .filter(({ since }) => since <= before)
      .map(({ validation }) => validation);
    if (overdue.length > 0) void work.renew(overdue);
  };
  const startNext = () => {
    while (running < slots()) {
      const first = waiting.next((partners) => ownerShare(slots(), partners));
      if (first === undefined) break;
      running += 1;
      void work.validate(first.validation).finally(() => {
        running -= 1;
        waiting.end(first.partnerId);
        releaseSlot(first);
        startNext();
      });
    }
    if (waiting.size > 0) {
      renewing ??= setInterval(renew, bounds.renewEveryMs);
      return;
    }
    clearInterval(renewing);
    renewing = undefined;
  };
  const handOver = (entry: Waiting) => work.handOver(entry.validation).finally(() => releaseSlot(entry));
  return {
    reserve(bytes, partnerId) {
      if (whenEmpty !== undefined || reserved >= bounds.mostWaiting) return undefined;
      if (!shares.enter(partnerId)) return undefined;
      const holdsFiles = bytesHeld + bytes <= bounds.mostBytes;
      const heldBytes = holdsFiles ? bytes : 0;
      reserved += 1;
      bytesHeld += heldBytes;
      return {
        holdsFiles,
        start(validation) {
          const entry = { validation, partnerId, bytes: heldBytes, since: performance.now() };
          if (whenEmpty !== undefined) return void handOver(entry);
          waiting.add(partnerId, entry);
          startNext();
        },
        release: () => releaseSlot({ bytes: heldBytes, partnerId }),
      };
    },
    stop() {
      whenEmpty ??= Promise.withResolvers();
      if (reserved === 0) whenEmpty.resolve();
      for (const entry of waiting.drain()) void handOver(entry);
      startNext();
      return whenEmpty.promise;
    },
  };
}
