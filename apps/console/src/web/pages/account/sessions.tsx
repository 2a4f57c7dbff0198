import { useQuery } from '@tanstack/react-query';
import { createQuery } from '../../client/queries.ts';
import { useReloadSession } from '../../client/session.tsx';
import type { OperatorOutput } from '../../client/trpc.ts';
import { Action } from '../../parts/action.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Age, Instant } from '../../parts/instant.tsx';
import { Section } from '../../parts/page.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { formatBrowser } from '../../texts/format-browser.ts';
import { useLabels } from '../../texts/labels.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';

const texts = createBilingual({
  en: {
    title: 'Open sessions',
    everywhere: 'Sign out everywhere',
    everywhereText: 'Ends every session of yours, this one too. Whoever holds one has to sign in again.',
    ended: (count: string) => `${count} sessions ended`,
    end: 'End',
    endText: 'The browser or program that holds it has to sign in again.',
    thisOne: 'This session',
    method: 'Signed in by',
    browser: 'Browser or program',
    address: 'Address',
    created: 'Since',
    used: 'Last used',
    actions: 'Actions',
  },
  es: {
    title: 'Sesiones abiertas',
    everywhere: 'Cerrar todas las sesiones',
    everywhereText: 'Termina todas sus sesiones, también esta. Quien tenga una debe ingresar de nuevo.',
    ended: (count: string) => `${count} sesiones terminadas`,
    end: 'Terminar',
    endText: 'El navegador o programa que la tiene debe ingresar de nuevo.',
    thisOne: 'Esta sesión',
    method: 'Ingresó con',
    browser: 'Navegador o programa',
    address: 'Dirección',
    created: 'Desde',
    used: 'Último uso',
    actions: 'Acciones',
  },
});

type Row = OperatorOutput<'auth.sessions'>['items'][number];

/** Lists the operator's own sessions, and ends them. */
export function Sessions() {
  const t = useTexts(texts);
  const getLabel = useLabels();
  const changed = useReloadSession();
  const query = useQuery(createQuery('auth.sessions', {}));
  const columns: readonly Column<Row>[] = [
    { id: 'method', label: t.method, cell: ({ method }) => getLabel(method).text },
    { id: 'browser', label: t.browser, cell: ({ userAgent }) => formatBrowser(userAgent) },
    { id: 'address', label: t.address, cell: ({ address }) => address },
    { id: 'created', label: t.created, cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { id: 'used', label: t.used, cell: ({ lastUsedAt }) => <Age since={lastUsedAt} /> },
    {
      id: 'actions',
      label: t.actions,
      atEnd: true,
      cell: ({ sessionId, isCurrent }) =>
        isCurrent ? (
          <strong>{t.thisOne}</strong>
        ) : (
          <Action
            procedure="auth.endSession"
            label={t.end}
            text={t.endText}
            small
            reason="none"
            toInput={() => ({ sessionId })}
            done={({ ended }) => t.ended(String(ended))}
          />
        ),
    },
  ];
  const everywhere = (
    <Action
      procedure="auth.endSession"
      label={t.everywhere}
      text={t.everywhereText}
      tone="danger"
      reason="none"
      toInput={() => ({ all: true as const })}
      done={({ ended }) => t.ended(String(ended))}
      onDone={() => void changed()}
    />
  );
  return (
    <Section title={t.title} actions={everywhere}>
      <QueryResult query={query}>
        {({ items }) => (
          <DataTable caption={t.title} columns={columns} rows={items} rowId={({ sessionId }) => sessionId} />
        )}
      </QueryResult>
    </Section>
  );
}
