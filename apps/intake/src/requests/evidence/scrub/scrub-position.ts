import { DAY_MS } from '@rubrica/contracts/shared/durations';

/** Position of a run of the scrub. */
export interface ScrubPosition {
  /** Id of the evidence that was read last. */
  readonly lastId: string;
  readonly beganAt: Date;
  /** Time at which the next evidence is to be read. */
  readonly dueAt: Date;
  /** Number of files read in this run. */
  readonly read: number;
}

export const lowestEvidenceId = '00000000-0000-0000-0000-000000000000';

/**
 * Computes the position after a batch. The remaining files are spread evenly over the remaining time of the
 * run. It counts from when the batch was due, not from when it was read: a scrub that is late reads without a
 * pause. At the end of the evidence the next run waits for its time.
 * @param batch.lastId undefined if nothing follows what was read
 */
export function advancePosition(
  place: ScrubPosition,
  batch: { readonly lastId: string | undefined; readonly read: number; readonly left: number },
  { now, days }: { readonly now: Date; readonly days: number },
): ScrubPosition {
  const endsMs = place.beganAt.getTime() + days * DAY_MS;
  if (batch.lastId === undefined || batch.left === 0) {
    const beganAt = new Date(Math.max(endsMs, now.getTime()));
    return { lastId: lowestEvidenceId, beganAt, dueAt: beganAt, read: 0 };
  }
  const dueMs = Math.min(place.dueAt.getTime(), now.getTime());
  const share = batch.read / (batch.read + batch.left);
  return {
    lastId: batch.lastId,
    beganAt: place.beganAt,
    dueAt: new Date(dueMs + Math.max(0, endsMs - dueMs) * share),
    read: place.read + batch.read,
  };
}
