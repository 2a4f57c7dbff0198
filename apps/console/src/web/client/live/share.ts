import { followStream, type LiveMessage } from './follow.ts';

const name = 'rubrica-live';

/**
 * Shares one stream between the tabs of a browser: one tab holds it and informs the others; when it is closed, another
 * replaces it. An operator may have four streams, a browser six connections.
 * @returns function that stops it
 */
export function shareLive(onMessage: (message: LiveMessage) => void): () => void {
  // Available only in a secure context, which the session cookie also requires.
  if (!('locks' in navigator)) return () => undefined;
  const stopping = new AbortController();
  const tabs = new BroadcastChannel(name);
  tabs.onmessage = ({ data }: MessageEvent<LiveMessage>) => onMessage(data);
  const broadcast = (message: LiveMessage) => {
    if (stopping.signal.aborted) return;
    onMessage(message);
    tabs.postMessage(message);
  };
  const { signal } = stopping;
  // Rejects if it is stopped while another tab holds the lock.
  void navigator.locks
    .request(name, { signal }, () => followStream(broadcast, signal))
    .catch(() => undefined);
  return () => {
    stopping.abort();
    tabs.close();
  };
}
