import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createQuery } from '../client/queries.ts';
import { usePermission } from '../client/session.tsx';
import type { ProcedureInput } from '../client/trpc.ts';
import { createBilingual, useTexts } from '../texts/texts.ts';
import { type Column, DataTable } from './data-table.tsx';
import { Section } from './page.tsx';
import { QueryResult } from './query-result.tsx';
import styles from './related.module.css';
import type { SearchPath, SearchResultRow } from './search-page.tsx';

const texts = createBilingual({
  en: { more: 'There are more: open the full list.' },
  es: { more: 'Hay más: abra la lista completa.' },
});

/** Shows related records of another kind: the first rows of a search, on the record's page. */
export function Related<P extends SearchPath>(props: {
  readonly title: string;
  readonly procedure: P;
  readonly input: ProcedureInput<P>;
  readonly columns: readonly Column<SearchResultRow<P>>[];
  rowId(row: SearchResultRow<P>): string;
  readonly empty: string;
  readonly actions?: ReactNode;
}) {
  const { title, procedure, input, columns, rowId, empty, actions } = props;
  const t = useTexts(texts);
  const isAllowed = usePermission()(procedure);
  const query = useQuery({ ...createQuery(procedure, input), enabled: isAllowed });
  if (!isAllowed) return null;
  return (
    <Section title={title} actions={actions}>
      <QueryResult query={query}>
        {(data) => {
          const { items, nextCursor } = data as { items: SearchResultRow<P>[]; nextCursor: string | null };
          if (items.length === 0) return <p className={styles.empty}>{empty}</p>;
          return (
            <>
              <DataTable caption={title} columns={columns} rows={items} rowId={rowId} />
              {nextCursor !== null && <p className={styles.empty}>{t.more}</p>}
            </>
          );
        }}
      </QueryResult>
    </Section>
  );
}
