import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useReloadInterval } from '../../client/live/live.tsx';
import { createQuery } from '../../client/queries.ts';
import { useSession } from '../../client/session.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Page } from '../../parts/page.tsx';
import { Notice, QueryResult } from '../../parts/query-result.tsx';
import { useTexts } from '../../texts/texts.ts';
import styles from './case.module.css';
import type { Case } from './case.ts';
import { CaseData } from './case-data.tsx';
import { caseTexts } from './case-texts.ts';
import { Decisions } from './decisions.tsx';
import { Documents } from './documents.tsx';
import { NextCase } from './next-case.tsx';
import { Presence } from './presence.tsx';

/** Short interval, so that two reviewers of a case see each other without live events. */
const caseRefreshMs = 5_000;

export default function CasePage() {
  const { requestId = '' } = useParams({ strict: false });
  const refetchInterval = useReloadInterval(caseRefreshMs);
  const query = useQuery({ ...createQuery('reviews.get', { requestId }), refetchInterval });
  return (
    <QueryResult query={query} title={requestId}>
      {/* Resets the state for another case: no dialog of the previous one stays open. */}
      {(found) => <OpenCase key={found.requestId} found={found} />}
    </QueryResult>
  );
}

function OpenCase({ found }: { readonly found: Case }) {
  const t = useTexts(caseTexts);
  const { email } = useSession();
  const { requestId, referenceTransaction, status, reviewPolicy, assignedTo, evidence } = found;
  const isWaiting = found.validationStatus === 'MANUALLY_VALIDATING';
  // The page shows each new state at once, perhaps under an open dialog; a decision refers to the state that the
  // reviewer has seen.
  const [seenSha256, setSeenSha256] = useState(found.shownSha256);
  if (seenSha256 === null && found.shownSha256 !== null) setSeenSha256(found.shownSha256);
  const hasChanged = isWaiting && seenSha256 !== null && seenSha256 !== found.shownSha256;
  return (
    <Page
      title={referenceTransaction}
      besideTitle={
        <>
          <Badge code={isWaiting ? found.validationStatus : status} />
          <Badge code={reviewPolicy} />
        </>
      }
      actions={
        <>
          <Link to="/review">{t.queue}</Link>
          <NextCase after={requestId} />
          <Decisions found={found} shownSha256={seenSha256} />
        </>
      }
    >
      {hasChanged && (
        <Notice tone="warn">
          {t.changed} <Button onClick={() => setSeenSha256(found.shownSha256)}>{t.lookedAgain}</Button>
        </Notice>
      )}
      {isWaiting && assignedTo !== null && assignedTo !== email && (
        <Notice tone="warn">{t.takenByOther(assignedTo)}</Notice>
      )}
      {isWaiting && <Presence requestId={requestId} openedBy={found.openedBy} />}
      <div className={styles.case}>
        <CaseData found={found} />
        <Documents requestId={requestId} evidence={evidence} />
      </div>
    </Page>
  );
}
