import { Link } from '@tanstack/react-router';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Instant } from '../../parts/instant.tsx';
import { usePartnerNames } from '../../parts/partner-names.ts';
import type { SearchResultRow } from '../../parts/search-page.tsx';
import { createBilingual, useTexts } from '../../texts/texts.ts';

const texts = createBilingual({
  en: {
    event: 'Event',
    state: 'State',
    partner: 'Partner',
    to: 'To',
    attempts: 'Attempts',
    last: 'Last answer',
    next: 'Next attempt',
    created: 'Happened',
    request: 'Request',
    open: 'Open',
  },
  es: {
    event: 'Evento',
    state: 'Estado',
    partner: 'Tercero',
    to: 'Destino',
    attempts: 'Intentos',
    last: 'Última respuesta',
    next: 'Próximo intento',
    created: 'Ocurrió',
    request: 'Solicitud',
    open: 'Abrir',
  },
});

/** Returns the columns of webhooks; without request and partner on the page of a request. */
export function useDeliveryColumns(
  options: { readonly ofRequest?: boolean } = {},
): readonly Column<SearchResultRow<'deliveries.search'>>[] {
  const t = useTexts(texts);
  const { nameOf } = usePartnerNames();
  const withPartner: readonly Column<SearchResultRow<'deliveries.search'>>[] = [
    { id: 'partner', label: t.partner, cell: ({ partnerId }) => nameOf(partnerId) },
    {
      id: 'request',
      label: t.request,
      hidden: true,
      cell: ({ requestId }) => <Link to={`/requests/${requestId}`}>{t.open}</Link>,
    },
  ];
  return [
    {
      id: 'event',
      label: t.event,
      cell: ({ id, type }) => <Link to={`/deliveries/${id}`}>{type}</Link>,
    },
    { id: 'state', label: t.state, cell: ({ state }) => <Badge code={state} /> },
    ...(options.ofRequest === true ? [] : withPartner),
    { id: 'to', label: t.to, cell: ({ url }) => <span title={url}>{getHost(url)}</span> },
    { id: 'attempts', label: t.attempts, atEnd: true, cell: ({ attempts }) => attempts },
    { id: 'last', label: t.last, cell: ({ lastStatus, lastError }) => lastStatus ?? lastError ?? '–' },
    { id: 'next', label: t.next, cell: ({ nextAttemptAt }) => <Instant at={nextAttemptAt} /> },
    { id: 'created', label: t.created, cell: ({ createdAt }) => <Instant at={createdAt} /> },
  ];
}

function getHost(url: string): string {
  return URL.parse(url)?.host ?? url;
}
