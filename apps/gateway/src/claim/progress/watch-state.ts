import type { ClaimState, ClaimView } from '../types.ts';

export interface Pace {
  /** Between two looks without a signal. */
  readonly lookMs: number;
  /** Between looks after a signal: intake gets the event when we do, and needs a moment to store it. */
  readonly afterSignalMs: number;
  readonly looksAfterSignal: number;
  readonly heartbeatMs: number;
  /** After which the browser connects anew, maybe to a copy with more room. */
  readonly lifeMs: number;
}

export type Progress = ClaimState | NonNullable<ClaimView['obstacle']>;

/** State that a page of progress shows; it loads anew when the state is another. */
export function toProgress({ state, obstacle }: Pick<ClaimView, 'state' | 'obstacle'>): Progress {
  return obstacle ?? state;
}

/** Nothing to do but to wait. An error waits for the partner, who may take days: the page ends with it. */
const waiting: ReadonlySet<Progress> = new Set(['IN_PROGRESS', 'REVIEW']);

export interface WatchOptions {
  readonly first: Progress;
  /** `ENDED` for a link that opens nothing any more; rejects where nobody can say. */
  readonly look: () => Promise<Progress>;
  readonly listen: (onSignal: () => void) => () => void;
  readonly write: (text: string) => void;
  readonly end: () => void;
  readonly pace: Pace;
}

/**
 * Writes the state as server-sent events (HTML Living Standard, 9.2) until there is nothing more to wait for.
 * @returns ends the watching
 */
export function watchState({ first, look, listen, write, end, pace }: WatchOptions): () => void {
  let sent: Progress | undefined;
  let hurriedLooks = 0;
  let isLooking = false;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  const send = (state: Progress) => {
    if (state !== sent) write(`data: ${state}\n\n`);
    sent = state;
    if (!waiting.has(state)) finish();
  };
  const lookAgain = async () => {
    if (isLooking || isOver) return;
    isLooking = true;
    // A service that does not answer is asked again; the page is not told.
    const state = await look().catch(() => undefined);
    isLooking = false;
    if (isOver) return;
    if (state !== undefined) send(state);
    if (!isOver) plan();
  };
  const plan = () => {
    clearTimeout(timer);
    timer = setTimeout(lookAgain, hurriedLooks > 0 ? pace.afterSignalMs : pace.lookMs);
    hurriedLooks = Math.max(0, hurriedLooks - 1);
  };
  const unsubscribe = listen(() => {
    hurriedLooks = pace.looksAfterSignal;
    if (!isOver) void lookAgain();
  });
  const heartbeat = setInterval(() => write(':\n\n'), pace.heartbeatMs);
  const life = setTimeout(() => finish(), pace.lifeMs);
  const stop = () => {
    isOver = true;
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
  if (!isOver) void lookAgain();
  return stop;
}
