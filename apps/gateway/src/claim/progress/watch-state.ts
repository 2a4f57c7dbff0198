import type { ClaimState, ClaimView } from '../types.ts';

export interface Pace {
  /** Interval between two checks without a signal. */
  readonly lookMs: number;
  /** Interval between checks after a signal: intake gets the event at the same time and needs a moment to store it. */
  readonly afterSignalMs: number;
  readonly looksAfterSignal: number;
  readonly heartbeatMs: number;
  /** Time after which the browser reconnects, perhaps to a copy with more capacity. */
  readonly lifeMs: number;
}

export type Progress = ClaimState | NonNullable<ClaimView['obstacle']>;

/** Returns the displayed state; the page reloads when it changes. */
export function toProgress({ state, obstacle }: Pick<ClaimView, 'state' | 'obstacle'>): Progress {
  return obstacle ?? state;
}

/** States in which the page waits. An error waits for the partner, perhaps for days, so the page ends with it. */
const waiting: ReadonlySet<Progress> = new Set(['IN_PROGRESS', 'REVIEW']);

export interface WatchOptions {
  readonly first: Progress;
  /** Reads the state; `ENDED` for an invalid link; rejects where the state is unavailable. */
  readonly look: () => Promise<Progress>;
  readonly listen: (onSignal: () => void) => () => void;
  readonly write: (text: string) => void;
  readonly end: () => void;
  readonly pace: Pace;
}

/**
 * Writes the state as server-sent events (HTML Living Standard, 9.2) until it is final.
 * @returns function that stops watching
 */
export function watchState({ first, look, listen, write, end, pace }: WatchOptions): () => void {
  let sent: Progress | undefined;
  let fastChecks = 0;
  let isChecking = false;
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;

  const send = (state: Progress) => {
    if (state !== sent) write(`data: ${state}\n\n`);
    sent = state;
    if (!waiting.has(state)) finish();
  };
  const checkAgain = async () => {
    if (isChecking || hasEnded) return;
    isChecking = true;
    // A service without an answer is called again; the page is not notified.
    const state = await look().catch(() => undefined);
    isChecking = false;
    if (hasEnded) return;
    if (state !== undefined) send(state);
    if (!hasEnded) plan();
  };
  const plan = () => {
    clearTimeout(timer);
    timer = setTimeout(checkAgain, fastChecks > 0 ? pace.afterSignalMs : pace.lookMs);
    fastChecks = Math.max(0, fastChecks - 1);
  };
  const unsubscribe = listen(() => {
    fastChecks = pace.looksAfterSignal;
    if (!hasEnded) void checkAgain();
  });
  const heartbeat = setInterval(() => write(':\n\n'), pace.heartbeatMs);
  const life = setTimeout(() => finish(), pace.lifeMs);
  const stop = () => {
    hasEnded = true;
    unsubscribe();
    clearTimeout(timer);
    clearTimeout(life);
    clearInterval(heartbeat);
  };
  const finish = () => {
    stop();
    end();
  };

  write('retry: 3000\n\n');
  send(first);
  // The state may have changed between the view and the subscription.
  if (!hasEnded) void checkAgain();
  return stop;
}
