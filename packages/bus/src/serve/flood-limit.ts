/** Limit on the messages of one caller that bring no call. */
export interface FloodLimit {
  /** Counts one such message and returns true if the caller has exceeded the limit. */
  isExceededBy(bytes: number): boolean;
}

const windowMs = 100;
/** Far more than the calls that services repeat under load, and a few hundredths of the processor. */
const maxUnitsPerWindow = 2_000;
/** Large messages cost by their size: they are read and opened. */
const bytesPerUnit = 16 * 1024;

/**
 * Creates the limit.
 * @param nowMs a monotonic clock
 */
export function createFloodLimit(nowMs: () => number = () => performance.now()): FloodLimit {
  let units = 0;
  let startedAt = nowMs();
  return {
    isExceededBy(bytes) {
      const now = nowMs();
      if (now - startedAt >= windowMs) {
        startedAt = now;
        units = 0;
      }
      units += 1 + bytes / bytesPerUnit;
      return units > maxUnitsPerWindow;
    },
  };
}
