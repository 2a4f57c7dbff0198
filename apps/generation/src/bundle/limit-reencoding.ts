import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { AppError } from '@rubrica/process';

/** A subscriber needs one or two: each writes the file anew, which takes about a second of CPU. */
const mostWithinHour = 6;
/** Re-encodings that wait for the one that is under way. */
const mostWaiting = 4;

export interface ReencodingLimits {
  /**
   * Runs `work` alone, one after the other, and a few times an hour for each certificate.
   * @throws AppError RATE_LIMITED for one more of this certificate, SERVICE_UNAVAILABLE where too many wait
   */
  run<T>(serial: string, work: () => Promise<T>): Promise<T>;
}

/** Limits of this copy: one applicant must not use up the time in which certificates are issued. */
export function createReencodingLimits(nowMs: () => number): ReencodingLimits {
  const counts = new Map<string, number>();
  let hour = 0;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async run(serial, work) {
      const present = Math.floor(nowMs() / HOUR_MS);
      if (present !== hour) counts.clear();
      hour = present;
      const count = counts.get(serial) ?? 0;
      if (count >= mostWithinHour) {
        const retryAfterSeconds = Math.ceil(((present + 1) * HOUR_MS - nowMs()) / 1_000);
        throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds });
      }
      if (waiting >= mostWaiting) throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
      counts.set(serial, count + 1);
      waiting += 1;
      const running = last.then(work);
      last = running.catch(() => undefined);
      try {
        return await running;
      } finally {
        waiting -= 1;
      }
    },
  };
}
