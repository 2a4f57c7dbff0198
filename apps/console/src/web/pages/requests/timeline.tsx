import { useQuery } from '@tanstack/react-query';
import { createQuery } from '../../client/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Section } from '../../parts/page.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { useActorNames } from '../../texts/actors.ts';
import { useLabelTexts } from '../../texts/labels.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import styles from './timeline.module.css';

const texts = createBilingual({ en: { title: 'Timeline' }, es: { title: 'Historia' } });

/** Shows the history of a request, oldest first, with actor and reason. */
export function Timeline({ requestId }: { readonly requestId: string }) {
  const t = useTexts(texts);
  const getLabelText = useLabelTexts();
  const formatActor = useActorNames();
  const query = useQuery(createQuery('requests.timeline', { requestId }));
  return (
    <Section title={t.title}>
      <QueryResult query={query}>
        {({ items }) => (
          <ol className={styles.list}>
            {items.map(({ at, kind, status, validationStatus, code, actor, reason }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever added at the end
              <li key={index} className={styles.entry}>
                <span className={styles.at}>
                  <Instant at={at} />
                </span>
                <span className={styles.what}>
                  <span>{getLabelText(kind)}</span>
                  {status !== null && <Badge code={status} />}
                  {validationStatus !== null && validationStatus !== status && (
                    <Badge code={validationStatus} />
                  )}
                  {code !== null && <Badge code={code} />}
                  <span className={styles.actor}>{formatActor(actor)}</span>
                  {reason !== null && <q>{reason}</q>}
                </span>
              </li>
            ))}
          </ol>
        )}
      </QueryResult>
    </Section>
  );
}
