import type { ClaimState } from '../types.ts';

export interface Pace {
  /** Between two looks without a signal. */
  readonly lookMs: number;
  /** Between looks after a signal: intake hears of it about when we do, and needs a moment to write it down. */
  readonly afterSignalMs: number;
  readonly looksAfterSignal: number;
  readonly heartbeatMs: number;
  /** After which the browser connects anew, maybe to a copy with more room. */
  readonly lifeMs: number;
}

export interface WatchOptions {
  readonly first: ClaimState;
  readonly look: () => Promise<ClaimState>;
  readonly listen: (hear: () => void) => () => void;
  readonly write: (text: string) => void;
  readonly end: () => void;
  readonly pace: Pace;
}

/**
 * Writes the state as server-sent events (HTML Living Standard, 9.2) until there is nothing more to wait for.
 * @returns ends the watching
 */
export function watchState({ first, look, listen, write, end, pace }: WatchOptions): () => void {
  let told: ClaimState | undefined;
  let hurried = 0;
  let isLooking = false;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  const tell = (state: ClaimState) => {
    if (state !== told) write(`data: ${state}\n\n`);
    told = state;
    if (state !== 'IN_PROGRESS') finish();
  };
  const lookAgain = async () => {
    if (isLooking || isOver) return;
    isLooking = true;
    // A service that is away for a moment is asked again; the page learns nothing of it.
    const state = await look().catch(() => undefined);
    isLooking = false;
    if (isOver) return;
    if (state !== undefined) tell(state);
    if (!isOver) plan();
  };
  const plan = () => {
    clearTimeout(timer);
    timer = setTimeout(lookAgain, hurried > 0 ? pace.afterSignalMs : pace.lookMs);
    hurried = Math.max(0, hurried - 1);
  };
  const deaf = listen(() => {
    hurried = pace.looksAfterSignal;
    if (!isOver) void lookAgain();
  });
  const heartbeat = setInterval(() => write(':\n\n'), pace.heartbeatMs);
  const life = setTimeout(() => finish(), pace.lifeMs);
  const stop = () => {
    isOver = true;
    deaf();
    clearTimeout(timer);
    clearTimeout(life);
    clearInterval(heartbeat);
  };
  const finish = () => {
    stop();
    end();
  };

  write('retry: 3000\n\n');
  tell(first);
  // Between the view and the listening something may have happened.
  if (!isOver) void lookAgain();
  return stop;
}
