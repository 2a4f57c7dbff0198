import { AppError } from '@rubrica/process';

export interface Limits {
  readonly atOnce: number;
  /** Calls that wait for the ones at once. */
  readonly waiting: number;
  /** A call that has waited for so long is refused: its caller would be gone before the answer. */
  readonly waitMs: number;
}

/** Lets few calls run at once, in order of arrival. */
export interface Limit {
  /** @throws Busy where as many wait already, or the call has waited for too long */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Refuses a caller that is about to ask, before anything of it is counted or read. @throws Busy */
  assertRoom(): void;
}

/** Nothing was done of the call: RATE_LIMITED. */
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
  /** Whoever ends hands its place to the next in the queue. */
  const place = () =>
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
      if (running >= atOnce) await place();
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
