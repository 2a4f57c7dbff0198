import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { DependentInsert } from '../request/one-statement.ts';

interface ClaimWindow {
  readonly from: Date;
  readonly until: Date;
}

/** When the applicant is reminded of a link that waits, each from the window's own two ends. */
const reminders: readonly ((window: { fromMs: number; untilMs: number }) => number)[] = [
  ({ fromMs }) => fromMs + 7 * DAY_MS,
  ({ fromMs, untilMs }) => (fromMs + untilMs) / 2,
  ({ untilMs }) => untilMs - 7 * DAY_MS,
  ({ untilMs }) => untilMs - DAY_MS,
];

/**
 * The instants of a window's reminders, in order, each at least a day from the link's mail and from each other: of
 * two closer ones the later stays, since the end weighs more. A window of few days has few or none.
 */
export function reminderTimes({ from, until }: ClaimWindow): Date[] {
  const window = { fromMs: from.getTime(), untilMs: until.getTime() };
  const latestFirst = reminders
    .map((reminder) => Math.round(reminder(window)))
    .filter((at) => at >= window.fromMs + DAY_MS && at < window.untilMs)
    .sort((one, other) => other - one);
  const kept: number[] = [];
  for (const at of latestFirst)
    if (kept.length === 0 || (kept.at(-1) as number) - at >= DAY_MS) kept.push(at);
  return kept.reverse().map((at) => new Date(at));
}

export function reminderRows(requestId: string, window: ClaimWindow): DependentInsert {
  return {
    table: 'claim_reminder',
    rows: reminderTimes(window).map((at) => ({ request_id: requestId, due_at: at })),
  };
}

/** A request that is approved anew, after a correction, has a window of its own. */
export const forgetReminders =
  'delete from claim_reminder using request where claim_reminder.request_id = request.id and done_at is null';
