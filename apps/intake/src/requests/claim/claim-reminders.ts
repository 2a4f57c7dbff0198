import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { DependentInsert } from '../request/one-statement.ts';

interface ClaimWindow {
  readonly from: Date;
  readonly until: Date;
}

/** Times of the reminders of a waiting link, each relative to the ends of its window. */
const reminders: readonly ((window: { fromMs: number; untilMs: number }) => number)[] = [
  ({ fromMs }) => fromMs + 7 * DAY_MS,
  ({ fromMs, untilMs }) => (fromMs + untilMs) / 2,
  ({ untilMs }) => untilMs - 7 * DAY_MS,
  ({ untilMs }) => untilMs - DAY_MS,
];

/**
 * Computes the times of a window's reminders, in order. Each is at least a day from the link's mail and from
 * the others. If two are closer, the later stays, because the end matters more. A window of few days has few
 * or none.
 */
export function computeReminderTimes({ from, until }: ClaimWindow): Date[] {
  const window = { fromMs: from.getTime(), untilMs: until.getTime() };
  const latestFirst = reminders
    .map((reminder) => Math.round(reminder(window)))
    .filter((at) => at >= window.fromMs + DAY_MS && at < window.untilMs)
    .sort((left, right) => right - left);
  const spaced: number[] = [];
  for (const at of latestFirst)
    if (spaced.length === 0 || (spaced.at(-1) as number) - at >= DAY_MS) spaced.push(at);
  return spaced.reverse().map((at) => new Date(at));
}

export function reminderRows(requestId: string, window: ClaimWindow): DependentInsert {
  return {
    table: 'claim_reminder',
    rows: computeReminderTimes(window).map((at) => ({ request_id: requestId, due_at: at })),
  };
}

/** Deletes open reminders: a request that is approved anew, after a correction, has a new window. */
export const forgetReminders =
  'delete from claim_reminder using request where claim_reminder.request_id = request.id and done_at is null';
