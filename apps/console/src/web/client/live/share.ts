import { follow, type Heard } from './follow.ts';

const name = 'rubrica-live';

/**
 * One tab of the browser holds the stream and tells the others; when it is closed another one takes its place. An operator
 * may have four streams, and a browser six connections.
 * @returns stops
 */
export function shareLive(onHeard: (heard: Heard) => void): () => void {
  // Only where the page came securely, as it must for the session's cookie.
  if (!('locks' in navigator)) return () => undefined;
  const stopping = new AbortController();
  const tabs = new BroadcastChannel(name);
  tabs.onmessage = ({ data }: MessageEvent<Heard>) => onHeard(data);
  const tellAll = (heard: Heard) => {
    if (stopping.signal.aborted) return;
    onHeard(heard);
    tabs.postMessage(heard);
  };
  const { signal } = stopping;
  // Rejects where it is stopped while another tab has the lock.
  void navigator.locks.request(name, { signal }, () => follow(tellAll, signal)).catch(() => undefined);
  return () => {
    stopping.abort();
    tabs.close();
  };
}
