import type { Message } from '@rubrica/contracts/messages/messages';
import type { RequestFiles } from '../request/evidence/evidence-file.ts';
import { requestLeaseSeconds } from '../request/request-lease.ts';
import type { Begun } from './begin-validation.ts';

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
  /** @returns undefined where there is no place: the request's job then waits in its stream */
  take(bytes: number): Place | undefined;
  /** Takes no more, hands over those that wait, and resolves when the others are over. */
  stop(): Promise<void>;
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
  readonly bytes: number;
  readonly since: number;
}

/** A bounded queue; first come, first served. */
export function createValidationsInHand({ work, slots, ...limits }: Options): ValidationsInHand {
  const most = { mostWaiting, mostBytes, renewEveryMs, ...limits };
  const waiting: Waiting[] = [];
  let places = 0;
  let bytesHeld = 0;
  let running = 0;
  let renewing: NodeJS.Timeout | undefined;
  let whenEmpty: PromiseWithResolvers<void> | undefined;
  const leave = (bytes: number) => {
    places -= 1;
    bytesHeld -= bytes;
    if (places === 0) whenEmpty?.resolve();
  };
  const renew = () => {
    const before = performance.now() - most.renewEveryMs;
    const long = waiting.filter(({ since }) => since <= before).map(({ validation }) => validation);
    if (long.length > 0) void work.renew(long);
  };
  const next = () => {
    while (running < slots()) {
      const first = waiting.shift();
      if (first === undefined) break;
      running += 1;
      void work.validate(first.validation).finally(() => {
        running -= 1;
        leave(first.bytes);
        next();
      });
    }
    if (waiting.length > 0) {
      renewing ??= setInterval(renew, most.renewEveryMs);
      return;
    }
    clearInterval(renewing);
    renewing = undefined;
  };
  const handOver = ({ validation, bytes }: Waiting) => work.handOver(validation).finally(() => leave(bytes));
  return {
    take(bytes) {
      if (whenEmpty !== undefined || places >= most.mostWaiting) return undefined;
      const holdsFiles = bytesHeld + bytes <= most.mostBytes;
      const held = holdsFiles ? bytes : 0;
      places += 1;
      bytesHeld += held;
      return {
        holdsFiles,
        start(validation) {
          const one = { validation, bytes: held, since: performance.now() };
          if (whenEmpty !== undefined) return void handOver(one);
          waiting.push(one);
          next();
        },
        release: () => leave(held),
      };
    },
    stop() {
      whenEmpty ??= Promise.withResolvers();
      if (places === 0) whenEmpty.resolve();
      for (const one of waiting.splice(0)) void handOver(one);
      next();
      return whenEmpty.promise;
    },
  };
}
