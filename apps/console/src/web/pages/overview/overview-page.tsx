import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { queryOf } from '../../client/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Shown } from '../../parts/states.tsx';
import { bilingual, useTexts } from '../../texts/texts.ts';

const texts = bilingual({
  en: { title: 'Overview', requests: 'Requests by state' },
  es: { title: 'Resumen', requests: 'Solicitudes por estado' },
});

export default function OverviewPage() {
  const t = useTexts(texts);
  const query = useQuery(queryOf('overview', {}));
  return (
    <Page title={t.title}>
      <Shown query={query}>
        {(overview) => (
          <Section title={t.requests}>
            <Facts
              rows={Object.entries(overview.requests).map(([status, count]) => [
                status,
                <Link key={status} to="/requests" search={{ status }}>
                  <Badge code={status} /> {count}
                </Link>,
              ])}
            />
          </Section>
        )}
      </Shown>
    </Page>
  );
}
