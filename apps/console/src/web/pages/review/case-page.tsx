import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { usePace } from '../../client/live/live.tsx';
import { queryOf } from '../../client/queries.ts';
import { useSession } from '../../client/session.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Page } from '../../parts/page.tsx';
import { Notice, Shown } from '../../parts/states.tsx';
import { useTexts } from '../../texts/texts.ts';
import styles from './case.module.css';
import type { Case } from './case.ts';
import { CaseData } from './case-data.tsx';
import { caseTexts } from './case-texts.ts';
import { Decisions } from './decisions.tsx';
import { Documents } from './documents.tsx';
import { NextCase } from './next-case.tsx';
import { Presence } from './presence.tsx';

/** Short, so that two reviewers of one case see each other where no events arrive. */
const caseRefreshMs = 5_000;

export default function CasePage() {
  const { requestId = '' } = useParams({ strict: false });
  const refetchInterval = usePace(caseRefreshMs);
  const query = useQuery({ ...queryOf('reviews.get', { requestId }), refetchInterval });
  return (
    <Shown query={query} title={requestId}>
      {/* Another case begins anew: nothing of the one before is open. */}
      {(found) => <OpenCase key={found.requestId} found={found} />}
    </Shown>
  );
}

function OpenCase({ found }: { readonly found: Case }) {
  const t = useTexts(caseTexts);
  const { email } = useSession();
  const { requestId, referenceTransaction, status, reviewPolicy, assignedTo, evidence } = found;
  const isWaiting = found.validationStatus === 'MANUALLY_VALIDATING';
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
          <Decisions found={found} />
        </>
      }
    >
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
