import { type LiveEvent, readEventStream } from './event-stream.ts';

/** Message to every tab about the browser's single stream. */
export type LiveMessage =
  | { readonly kind: 'event'; readonly event: LiveEvent }
  /** The stream is open; earlier events may have been missed. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'alive' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'signedOut' };

const firstPauseMs = 1_000;
const maxPauseMs = 60_000;

/**
 * Keeps the stream open until it is stopped. After an end it reconnects soon, with longer pauses while it is refused.
 */
export async function followStream(
  onMessage: (heard: LiveMessage) => void,
  signal: AbortSignal,
): Promise<void> {
  let refusals = 0;
  while (!signal.aborted) {
    const wasOpen = await readOnce(onMessage, signal).catch(() => false);
    if (signal.aborted) return;
    onMessage({ kind: 'ended' });
    refusals = wasOpen ? 0 : refusals + 1;
    await pause(pauseMs(refusals, Math.random()), signal);
  }
}

/**
 * Computes the pause.
 * @param random in [0, 1), so that pages do not reconnect at the same moment
 */
function pauseMs(refusals: number, random: number): number {
  return Math.min(maxPauseMs, firstPauseMs * 2 ** refusals) * (0.5 + random / 2);
}

/**
 * Reads the stream once.
 * @returns whether it was open
 */
async function readOnce(onMessage: (heard: LiveMessage) => void, signal: AbortSignal): Promise<boolean> {
  // `EventSource` would log a refusal as an error in the browser's console.
  const answer = await fetch('/live', { signal, headers: { 'x-errors': 'in-body' } });
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (!isStream || answer.body === null) {
    if ((await readCode(answer)) === 'UNAUTHENTICATED') onMessage({ kind: 'signedOut' });
    return false;
  }
  onMessage({ kind: 'begun' });
  try {
    await readEventStream(answer.body, (event) =>
      onMessage(event === undefined ? { kind: 'alive' } : { kind: 'event', event }),
    );
  } catch {
    // A break after it was open is not a refusal.
  }
  return true;
}

async function readCode(answer: Response): Promise<string | undefined> {
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
