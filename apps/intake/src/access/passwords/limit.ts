import { AppError } from '@rubrica/process/errors';

export interface Limits {
  readonly atOnce: number;
  /** Number of calls that wait for a slot. */
  readonly waiting: number;
  /** Longest wait of a call. Afterwards it is refused: its caller would be gone before the answer. */
  readonly waitMs: number;
}

/** Limit on concurrent calls, which run in the order of arrival. */
export interface Limit {
  /** @throws Busy if the queue is full, or the call has waited for too long */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Refuses a caller before anything of its call is counted or read. @throws Busy */
  assertRoom(): void;
}

/** Error of a call of which nothing was done: RATE_LIMITED. */
export class Busy extends AppError {
  constructor() {
    super({ code: 'RATE_LIMITED', retryAfterSeconds: 2 });
  }
}

export function createLimit({ atOnce, waiting, waitMs }: Limits): Limit {
  const queue: Array<() => void> = [];
  let running = 0;
  const assertRoom = () => {
    if (running >= atOnce && queue.length >= waiting) throw new Busy();
  };
  /** Waits for a slot, which a call that ends hands to the next in the queue. */
  const waitForSlot = () =>
    new Promise<void>((resolve, reject) => {
      const next = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(next), 1);
        reject(new Busy());
      }, waitMs);
      queue.push(next);
    });
  return {
    assertRoom,
    async run(work) {
      assertRoom();
      if (running >= atOnce) await waitForSlot();
      else running += 1;
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
