import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useReloadInterval } from '../../client/live/live.tsx';
import { createQuery } from '../../client/queries.ts';
import type { OperatorOutput } from '../../client/trpc.ts';
import { Badge } from '../../parts/badge.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { useDates } from '../../texts/dates.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import styles from './overview.module.css';
import { Tiles } from './tiles.tsx';
import { Trends } from './trend.tsx';
import { Warnings } from './warnings.tsx';

const texts = createBilingual({
  en: {
    title: 'Overview',
    states: 'Requests by state',
    statesNote: 'All that are open, and of the last 30 days those that have ended.',
    incomplete: 'There are more of some than are counted.',
  },
  es: {
    title: 'Resumen',
    states: 'Solicitudes por estado',
    statesNote: 'Todas las abiertas, y de los últimos 30 días las terminadas.',
    incomplete: 'De algunas hay más de las que se cuentan.',
  },
});

const overviewRefreshMs = 15_000;

export default function OverviewPage() {
  const t = useTexts(texts);
  const refetchInterval = useReloadInterval(overviewRefreshMs);
  const query = useQuery({ ...createQuery('overview', {}), refetchInterval });
  return (
    <Page title={t.title}>
      <QueryResult query={query}>
        {(overview) => (
          <>
            <Warnings
              warnings={overview.warnings}
              faultyEvidence={overview.faultyEvidence}
              isSandbox={overview.isSandbox}
            />
            <Tiles overview={overview} />
            <Trends trend={overview.trend} />
            <States overview={overview} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

/** Shows counts as bars that link to their lists. */
function States({ overview }: { readonly overview: OperatorOutput<'overview'> }) {
  const t = useTexts(texts);
  const dates = useDates();
  const counts = Object.entries(overview.requests);
  const maxCount = Math.max(1, ...counts.map(([, count]) => count));
  return (
    <Section title={t.states}>
      <div className={styles.states}>
        {counts.map(([status, count]) => (
          <Link key={status} to="/requests" search={{ status }} className={styles.state}>
            <Badge code={status} />
            <svg className={styles.bar} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect className={styles.track} width="100" height="4" />
              <rect width={(100 * count) / maxCount} height="4" />
            </svg>
            <span className={styles.count}>{dates.number(count)}</span>
          </Link>
        ))}
      </div>
      <p className={styles.hint}>
        {t.statesNote} {!overview.isComplete && t.incomplete}
      </p>
    </Section>
  );
}
