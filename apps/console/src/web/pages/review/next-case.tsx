import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { createQuery } from '../../client/queries.ts';
import { Button } from '../../parts/button.tsx';
import { useKeys } from '../../parts/keys.tsx';
import { useTexts } from '../../texts/texts.ts';
import { caseTexts } from './case-texts.ts';

/** Opens the case that has waited longest, except this one. */
export function NextCase({ after }: { readonly after: string }) {
  const t = useTexts(caseTexts);
  const navigate = useNavigate();
  const { data } = useQuery(createQuery('reviews.queue', { limit: 2 }));
  const next = data?.items.find(({ requestId }) => requestId !== after);
  const go = () => {
    if (next !== undefined) void navigate({ to: `/review/${next.requestId}` });
  };
  useKeys([{ keys: 'n', label: t.next, run: go }]);
  return (
    <Button onClick={go} aria-disabled={next === undefined} title={next === undefined ? t.noNext : undefined}>
      {t.next} <kbd>n</kbd>
    </Button>
  );
}
