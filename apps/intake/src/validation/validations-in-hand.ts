import type { Message } from '@rubrica/contracts/messages/messages';
import type { RequestFiles } from '../request/evidence/evidence-file.ts';
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
  /** Is done in its turn. */
  start(validation: InHand): void;
  /** The request was not registered. */
  release(): void;
}

/** Validations that this copy runs for the requests that it registers itself. */
export interface ValidationsInHand {
  /** @returns undefined where there is no place for so many bytes: the request's job then waits in its stream */
  take(bytes: number): Place | undefined;
  /** Takes no more, and resolves when those that it has are over. */
  stop(): Promise<void>;
}

interface Options {
  /** Never rejects. */
  readonly validate: (validation: InHand) => Promise<void>;
  /** How many at once; asked again whenever one ends. */
  readonly slots: () => number;
  readonly mostWaiting?: number;
  /** Of the files that wait in memory with them. */
  readonly mostBytes?: number;
}

/** What waits here must begin within its lease, on a busy copy too. */
const mostWaiting = 512;
const mostBytes = 24 * 1024 * 1024;

/** A bounded queue; first come, first served. */
export function createValidationsInHand({ validate, slots, ...limits }: Options): ValidationsInHand {
  const most = { mostWaiting, mostBytes, ...limits };
  const waiting: (() => Promise<void>)[] = [];
  let places = 0;
  let bytesHeld = 0;
  let running = 0;
  let whenEmpty: PromiseWithResolvers<void> | undefined;
  const leave = (bytes: number) => {
    places -= 1;
    bytesHeld -= bytes;
    if (places === 0) whenEmpty?.resolve();
  };
  const next = () => {
    while (running < slots()) {
      const validation = waiting.shift();
      if (validation === undefined) return;
      running += 1;
      void validation().finally(() => {
        running -= 1;
        next();
      });
    }
  };
  return {
    take(bytes) {
      if (whenEmpty !== undefined || places >= most.mostWaiting || bytesHeld + bytes > most.mostBytes)
        return undefined;
      places += 1;
      bytesHeld += bytes;
      return {
        start(validation) {
          waiting.push(() => validate(validation).finally(() => leave(bytes)));
          next();
        },
        release: () => leave(bytes),
      };
    },
    stop() {
      whenEmpty ??= Promise.withResolvers();
      if (places === 0) whenEmpty.resolve();
      return whenEmpty.promise;
    },
  };
}
