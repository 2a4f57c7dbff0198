import { Link } from '@tanstack/react-router';
import type { Column } from '../../parts/data-table.tsx';
import { Instant } from '../../parts/instant.tsx';
import type { SearchResultRow } from '../../parts/search-page.tsx';
import { useActorNames } from '../../texts/actors.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import styles from './audit.module.css';

const texts = createBilingual({
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
    forged: 'Not authentic: the service did not write this entry',
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
    forged: 'No es auténtica: el servicio no escribió esta entrada',
  },
});

type Row = SearchResultRow<'audit.list'>;

/** Returns the columns of audit entries. */
export function useAuditColumns(): readonly Column<Row>[] {
  const t = useTexts(texts);
  const formatActor = useActorNames();
  return [
    { id: 'at', label: t.at, cell: ({ at }) => <Instant at={at} /> },
    {
      id: 'action',
      label: t.action,
      cell: ({ action, isAuthentic }) => (
        <>
          <code>{action}</code>
          {isAuthentic === false && <strong className={styles.forged}>{t.forged}</strong>}
        </>
      ),
    },
    { id: 'actor', label: t.actor, cell: ({ actor }) => formatActor(actor) },
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

/** Pages by kind of target. */
const targetPages: Readonly<Record<string, string>> = {
  partner: '/partners/',
  request: '/requests/',
  certificate: '/certificates/',
  delivery: '/deliveries/',
  terms: '/terms/',
};

/** Names of the kinds of targets. */
const targetTexts = createBilingual({
  en: {
    partner: 'Partner',
    request: 'Request',
    requests: 'Requests',
    approval: 'Proposal',
    certificate: 'Certificate',
    operator: 'Operator',
    delivery: 'Webhook',
    message: 'Message',
    terms: 'Terms',
    token: 'API token',
    audit: 'Audit log',
    authorities: 'Authorities',
  },
  es: {
    partner: 'Tercero',
    request: 'Solicitud',
    requests: 'Solicitudes',
    approval: 'Propuesta',
    certificate: 'Certificado',
    operator: 'Operador',
    delivery: 'Webhook',
    message: 'Mensaje',
    terms: 'Términos',
    token: 'Token de API',
    audit: 'Registro de auditoría',
    authorities: 'Autoridades',
  },
});

/** Renders `partner:<id>` as a link to the partner's page. */
function Target({ target }: { readonly target: string | null }) {
  const t = useTexts(targetTexts);
  const [kind = '', id = ''] = target?.split(':') ?? [];
  const page = targetPages[kind];
  const kindName = Object.hasOwn(t, kind) ? t[kind as keyof typeof t] : kind;
  if (target === null) return '–';
  if (page === undefined) return <span title={target}>{kindName}</span>;
  return <Link to={`${page}${id}`}>{kindName}</Link>;
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
