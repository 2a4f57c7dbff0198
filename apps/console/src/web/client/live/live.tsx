import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { pacedBy } from '../pace.ts';
import { sessionQuery } from '../session.tsx';
import { createRefresh } from './refresh.ts';
import { shareLive } from './share.ts';

/** In case an event was lost. */
const safetyMs = 60_000;
/** The gateway says every 15 seconds that the stream lives. */
const silenceMs = 40_000;

const LiveContext = createContext(false);

/** Keeps what is shown as it is: pages ask anew when something has happened that concerns them. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  return <LiveContext value={useLive()}>{children}</LiveContext>;
}

/** How often a page asks anew, for `refetchInterval`. @param unfollowedMs while nothing says when there is something new */
export function usePace(unfollowedMs: number): ReturnType<typeof pacedBy> {
  return pacedBy(use(LiveContext) ? safetyMs : unfollowedMs);
}

/** Whether events arrive, here or in another tab. */
function useLive(): boolean {
  const queries = useQueryClient();
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const refresh = createRefresh(queries);
    let silence: NodeJS.Timeout | undefined;
    const heardNothing = () => setLive(false);
    const stop = shareLive((heard) => {
      clearTimeout(silence);
      const isOpen = heard.kind !== 'ended' && heard.kind !== 'signedOut';
      setLive(isOpen);
      if (isOpen) silence = setTimeout(heardNothing, silenceMs);
      if (heard.kind === 'begun') refresh.all();
      if (heard.kind === 'event') refresh.after(heard.event);
      // It has ended, here or elsewhere: the pages ask who is signed in, and show the sign-in.
      if (heard.kind === 'signedOut') void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    });
    return () => {
      stop();
      refresh.stop();
      clearTimeout(silence);
    };
  }, [queries]);
  return isLive;
}
