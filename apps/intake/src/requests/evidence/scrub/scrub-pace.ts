import { DAY_MS } from '@rubrica/contracts/shared/durations';

/** Where a round of the scrub is. */
export interface ScrubPlace {
  /** The evidence read last. */
  readonly lastId: string;
  readonly beganAt: Date;
  /** When the evidence after it is to be read. */
  readonly dueAt: Date;
  /** Files in this round. */
  readonly read: number;
}

export const beforeAll = '00000000-0000-0000-0000-000000000000';

/**
 * What is left is spread evenly over what is left of the round, counted from when the batch was due and not from when
 * it was read: what a scrub missed it reads without a pause. At the end of the evidence the next round waits for its time.
 *
 * @param batch.lastId undefined: nothing comes after what was read
 */
export function afterBatch(
  place: ScrubPlace,
  batch: { readonly lastId: string | undefined; readonly read: number; readonly left: number },
  { now, days }: { readonly now: Date; readonly days: number },
): ScrubPlace {
  const endsMs = place.beganAt.getTime() + days * DAY_MS;
  if (batch.lastId === undefined || batch.left === 0) {
    const beganAt = new Date(Math.max(endsMs, now.getTime()));
    return { lastId: beforeAll, beganAt, dueAt: beganAt, read: 0 };
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
