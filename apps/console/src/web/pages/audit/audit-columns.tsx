import { Link } from '@tanstack/react-router';
import type { Column } from '../../parts/data-table.tsx';
import { Instant } from '../../parts/instant.tsx';
import type { RowOf } from '../../parts/search-page.tsx';
import { bilingual, useTexts } from '../../texts/texts.ts';
import styles from './audit.module.css';

const texts = bilingual({
  en: {
    at: 'When',
    action: 'What',
    actor: 'Who',
    target: 'About',
    reason: 'Reason',
    details: 'Details',
    sequence: 'Place',
    request: 'Request',
    open: 'Open',
  },
  es: {
    at: 'Cuándo',
    action: 'Qué',
    actor: 'Quién',
    target: 'Sobre',
    reason: 'Motivo',
    details: 'Detalles',
    sequence: 'Lugar',
    request: 'Solicitud',
    open: 'Abrir',
  },
});

type Row = RowOf<'audit.list'>;

/** Of audit entries. */
export function useAuditColumns(): readonly Column<Row>[] {
  const t = useTexts(texts);
  return [
    { id: 'at', label: t.at, cell: ({ at }) => <Instant at={at} /> },
    { id: 'action', label: t.action, cell: ({ action }) => <code>{action}</code> },
    { id: 'actor', label: t.actor, cell: ({ actor }) => actor.replace(/^operator:/, '') },
    { id: 'target', label: t.target, cell: ({ target }) => <Target target={target} /> },
    { id: 'reason', label: t.reason, cell: ({ reason }) => reason ?? '–' },
    { id: 'details', label: t.details, cell: ({ details }) => <Details details={details} /> },
    { id: 'sequence', label: t.sequence, atEnd: true, hidden: true, cell: ({ sequence }) => sequence ?? '–' },
    {
      id: 'request',
      label: t.request,
      hidden: true,
      cell: ({ requestId }) =>
        requestId === null ? '–' : <Link to={`/requests/${requestId}`}>{t.open}</Link>,
    },
  ];
}

/** Kinds of targets that have a page. */
const pagesOf: Readonly<Record<string, string>> = {
  partner: '/partners/',
  request: '/requests/',
  certificate: '/certificates/',
};

/** `partner:<id>` as a link to the partner's page. */
function Target({ target }: { readonly target: string | null }) {
  const [kind = '', id = ''] = target?.split(':') ?? [];
  const page = pagesOf[kind];
  if (target === null) return '–';
  if (page === undefined) return <span title={target}>{kind}</span>;
  return <Link to={`${page}${id}`}>{kind}</Link>;
}

function Details({ details }: { readonly details: Row['details'] }) {
  const t = useTexts(texts);
  if (Object.keys(details).length === 0) return '–';
  return (
    <details>
      <summary>{t.open}</summary>
      <pre className={styles.details}>{JSON.stringify(details, null, 2)}</pre>
    </details>
  );
}
