import { useEffect } from 'react';
import { useMay, useSession } from '../../client/session.tsx';
import { call } from '../../client/trpc.ts';
import { Notice } from '../../parts/states.tsx';
import { bilingual, useTexts } from '../../texts/texts.ts';
import type { Case } from './case.ts';

const texts = bilingual({
  en: { also: (who: string) => `Also open with ${who}.` },
  es: { also: (who: string) => `También la tiene abierta ${who}.` },
});

/** Well before what `until` says, which is half a minute or more. */
const againMs = 10_000;

/** Tells colleagues that this reviewer has the case open, and shows who else has. */
export function Presence({ requestId, openedBy }: Pick<Case, 'requestId' | 'openedBy'>) {
  const t = useTexts(texts);
  const { email } = useSession();
  const isReviewer = useMay()('reviews.open');
  useEffect(() => {
    if (!isReviewer) return undefined;
    // Whether colleagues see it is no reason to disturb the reviewer.
    const open = () => void call('reviews.open', { requestId }).catch(() => undefined);
    open();
    const timer = setInterval(open, againMs);
    return () => {
      clearInterval(timer);
      void call('reviews.leave', { requestId }).catch(() => undefined);
    };
  }, [requestId, isReviewer]);
  const others = openedBy.filter(({ operator }) => operator !== email).map(({ operator }) => operator);
  if (others.length === 0) return null;
  return <Notice>{t.also(others.join(', '))}</Notice>;
}
