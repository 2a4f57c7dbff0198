import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { AppError } from '@rubrica/process/errors';

/** Re-encodings of one certificate per hour. A subscriber needs one or two, and each takes about a second of CPU. */
const maxPerHour = 6;
/** Maximum number of re-encodings that wait or run. */
const maxWaiting = 4;

export interface ReencodingLimits {
  /**
   * Runs `work` after all earlier calls have ended, and a few times per hour for each certificate.
   * @throws AppError RATE_LIMITED above the limit of this certificate; SERVICE_UNAVAILABLE where too many wait
   */
  run<T>(serial: string, work: () => Promise<T>): Promise<T>;
}

/** Creates the limits of this copy, so that one applicant cannot use the CPU time that issuance needs. */
export function createReencodingLimits(nowMs: () => number): ReencodingLimits {
  const counts = new Map<string, number>();
  let hour = 0;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async run(serial, work) {
      const currentHour = Math.floor(nowMs() / HOUR_MS);
      if (currentHour !== hour) counts.clear();
      hour = currentHour;
      const count = counts.get(serial) ?? 0;
      if (count >= maxPerHour) {
        const retryAfterSeconds = Math.ceil(((currentHour + 1) * HOUR_MS - nowMs()) / 1_000);
        throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds });
      }
      if (waiting >= maxWaiting) throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
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
