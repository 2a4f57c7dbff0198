import type { Message } from '@rubrica/contracts/messages/messages';
import { createFairQueue, shareOfOwner } from '@rubrica/wiring/shares';
import type { RequestFiles } from '../evidence/evidence-file.ts';
import { requestLeaseSeconds } from '../request/request-lease.ts';
import type { Begun } from './begin-validation.ts';
import { createPartnerShares } from './partner-shares.ts';

/** A validation that has begun, with what is known of its request. */
export interface InHand {
  readonly job: Message<'jobs.validation.requested'>;
  readonly begun: Begun;
  /** Where they need not be read. */
  readonly files?: RequestFiles | undefined;
}

/** A place for one validation, taken before its request is registered. */
export interface Place {
  /** Its files may wait in memory with it; else they are read once its turn comes. */
  readonly holdsFiles: boolean;
  /** Is done in its turn. */
  start(validation: InHand): void;
  /** The request was not registered. */
  release(): void;
}

/** Validations that this copy runs for the requests that it registers itself. */
export interface ValidationsInHand {
  /**
   * @param partnerId whose share of the places it counts to
   * @returns undefined where there is no place: the request's job then waits in its stream
   */
  take(bytes: number, partnerId: string): Place | undefined;
  /** Takes no more, hands over those that wait, and resolves when the others are over. */
  stop(): Promise<void>;
}

export interface ValidationQueueDeps {
  /** Validations of the requests that this copy registers. */
  readonly validations: ValidationsInHand;
}

interface Options {
  /** What is done with them. None of it rejects. */
  readonly work: {
    validate(validation: InHand): Promise<void>;
    /** Leaves one that waits to the copy that takes its job. */
    handOver(validation: InHand): Promise<void>;
    /** Prolongs the leases of those that wait. */
    renew(waiting: readonly InHand[]): Promise<void>;
  };
  /** How many at once; asked again whenever one ends. */
  readonly slots: () => number;
  readonly mostWaiting?: number;
  /** Of the files that wait in memory with them. */
  readonly mostBytes?: number;
  /** A lease is renewed once its validation has waited so long; it must last for twice that. */
  readonly renewEveryMs?: number;
}

/** What registers while calls leave no time for validations waits here. After 20 s of that a copy has 190 MB; with 4,096, 210. */
const mostWaiting = 2_048;
const mostBytes = 24 * 1024 * 1024;
const renewEveryMs = (requestLeaseSeconds * 1_000) / 3;

interface Waiting {
  readonly validation: InHand;
  readonly partnerId: string;
  readonly bytes: number;
  readonly since: number;
}

/** A bounded queue; partners are served in turn, and none has all slots or all places. */
export function createValidationsInHand({ work, slots, ...limits }: Options): ValidationsInHand {
  const most = { mostWaiting, mostBytes, renewEveryMs, ...limits };
  const waiting = createFairQueue<Waiting>();
  const shares = createPartnerShares(() => most.mostWaiting);
  let places = 0;
  let bytesHeld = 0;
  let running = 0;
  let renewing: NodeJS.Timeout | undefined;
  let whenEmpty: PromiseWithResolvers<void> | undefined;
  const leave = ({ bytes, partnerId }: Pick<Waiting, 'bytes' | 'partnerId'>) => {
    places -= 1;
    bytesHeld -= bytes;
    shares.leave(partnerId);
    if (places === 0) whenEmpty?.resolve();
  };
  const renew = () => {
    const before = performance.now() - most.renewEveryMs;
    const long = waiting
      .items()
      .filter(({ since }) => since <= before)
      .map(({ validation }) => validation);
    if (long.length > 0) void work.renew(long);
  };
  const next = () => {
    while (running < slots()) {
      const first = waiting.next((partners) => shareOfOwner(slots(), partners));
      if (first === undefined) break;
      running += 1;
      void work.validate(first.validation).finally(() => {
        running -= 1;
        waiting.end(first.partnerId);
        leave(first);
        next();
      });
    }
    if (waiting.size > 0) {
      renewing ??= setInterval(renew, most.renewEveryMs);
      return;
    }
    clearInterval(renewing);
    renewing = undefined;
  };
  const handOver = (one: Waiting) => work.handOver(one.validation).finally(() => leave(one));
  return {
    take(bytes, partnerId) {
      if (whenEmpty !== undefined || places >= most.mostWaiting) return undefined;
      if (!shares.enter(partnerId)) return undefined;
      const holdsFiles = bytesHeld + bytes <= most.mostBytes;
      const held = holdsFiles ? bytes : 0;
      places += 1;
      bytesHeld += held;
      return {
        holdsFiles,
        start(validation) {
          const one = { validation, partnerId, bytes: held, since: performance.now() };
          if (whenEmpty !== undefined) return void handOver(one);
          waiting.add(partnerId, one);
          next();
        },
        release: () => leave({ bytes: held, partnerId }),
      };
    },
    stop() {
      whenEmpty ??= Promise.withResolvers();
      if (places === 0) whenEmpty.resolve();
      for (const one of waiting.drain()) void handOver(one);
      next();
      return whenEmpty.promise;
    },
  };
}
