import { type LiveEvent, readEventStream } from './event-stream.ts';

/** What every tab of a browser hears of the one stream that it has. */
export type Heard =
  | { readonly kind: 'event'; readonly event: LiveEvent }
  /** The stream is open: anything may have been missed before. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'alive' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'signedOut' };

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/** Holds the stream open until it is stopped. After an end it comes again soon, and ever later while it is refused. */
export async function follow(hear: (heard: Heard) => void, signal: AbortSignal): Promise<void> {
  let refusals = 0;
  while (!signal.aborted) {
    const wasOpen = await readOnce(hear, signal).catch(() => false);
    if (signal.aborted) return;
    hear({ kind: 'ended' });
    refusals = wasOpen ? 0 : refusals + 1;
    await pause(pauseMs(refusals, Math.random()), signal);
  }
}

/** @param random in [0, 1): not all pages come back in the same moment */
function pauseMs(refusals: number, random: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** refusals) * (0.5 + random / 2);
}

/** @returns whether the stream was open */
async function readOnce(hear: (heard: Heard) => void, signal: AbortSignal): Promise<boolean> {
  // By `EventSource` a refusal would stand in the browser's console as an error.
  const answer = await fetch('/live', { signal, headers: { 'x-errors': 'in-body' } });
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (!isStream || answer.body === null) {
    if ((await codeOf(answer)) === 'UNAUTHENTICATED') hear({ kind: 'signedOut' });
    return false;
  }
  hear({ kind: 'begun' });
  try {
    await readEventStream(answer.body, (event) =>
      hear(event === undefined ? { kind: 'alive' } : { kind: 'event', event }),
    );
  } catch {
    // Broken off: that it was open counts.
  }
  return true;
}

async function codeOf(answer: Response): Promise<string | undefined> {
  const { error } = (await answer.json()) as { error?: { data?: { appCode?: string } } };
  return error?.data?.appCode;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
