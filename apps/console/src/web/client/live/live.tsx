import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { createReloadInterval } from '../reload-interval.ts';
import { sessionQuery } from '../session.tsx';
import { createQueryReloader } from './query-reloader.ts';
import { shareLive } from './share.ts';

/** Interval of a safety reload, in case an event was lost. */
const safetyMs = 60_000;
/** Silence after which the stream counts as broken; the gateway sends a heartbeat every 15 seconds. */
const silenceMs = 40_000;

const LiveContext = createContext(false);

/** Keeps the displayed data current: pages reload when an event affects them. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  return <LiveContext value={useLive()}>{children}</LiveContext>;
}

/**
 * Returns the reload interval of a page, for `refetchInterval`.
 * @param unfollowedMs interval without live events
 */
export function useReloadInterval(unfollowedMs: number): ReturnType<typeof createReloadInterval> {
  return createReloadInterval(use(LiveContext) ? safetyMs : unfollowedMs);
}

/** Returns whether events arrive, in this or another tab. */
function useLive(): boolean {
  const queries = useQueryClient();
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const refresh = createQueryReloader(queries);
    let silence: NodeJS.Timeout | undefined;
    const onSilence = () => setLive(false);
    const stop = shareLive((message) => {
      clearTimeout(silence);
      const isOpen = message.kind !== 'ended' && message.kind !== 'signedOut';
      setLive(isOpen);
      if (isOpen) silence = setTimeout(onSilence, silenceMs);
      if (message.kind === 'begun') refresh.all();
      if (message.kind === 'event') refresh.after(message.event);
      // The session has ended, here or in another tab: the pages reload the session and show the sign-in.
      if (message.kind === 'signedOut') void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    });
    return () => {
      stop();
      refresh.stop();
      clearTimeout(silence);
    };
  }, [queries]);
  return isLive;
}
