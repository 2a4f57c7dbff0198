import { useEffect } from 'react';
import { usePermission, useSession } from '../../client/session.tsx';
import { callProcedure } from '../../client/trpc.ts';
import { Notice } from '../../parts/query-result.tsx';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import type { Case } from './case.ts';

const texts = createBilingual({
  en: { also: (who: string) => `Also open with ${who}.` },
  es: { also: (who: string) => `También la tiene abierta ${who}.` },
});

/** Interval of presence reports, well below the half minute or more of `until`. */
const reportIntervalMs = 10_000;

/** Reports that this reviewer has the case open, and shows others who have. */
export function Presence({ requestId, openedBy }: Pick<Case, 'requestId' | 'openedBy'>) {
  const t = useTexts(texts);
  const { email } = useSession();
  const isReviewer = usePermission()('reviews.open');
  useEffect(() => {
    if (!isReviewer) return undefined;
    // A failed report must not disturb the reviewer.
    const open = () => void callProcedure('reviews.open', { requestId }).catch(() => undefined);
    open();
    const timer = setInterval(open, reportIntervalMs);
    return () => {
      clearInterval(timer);
      void callProcedure('reviews.leave', { requestId }).catch(() => undefined);
    };
  }, [requestId, isReviewer]);
  const others = openedBy.filter(({ operator }) => operator !== email).map(({ operator }) => operator);
  if (others.length === 0) return null;
  return <Notice>{t.also(others.join(', '))}</Notice>;
}
