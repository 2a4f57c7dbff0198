import { Link } from '@tanstack/react-router';
import { Action } from '../../parts/action.tsx';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Instant } from '../../parts/instant.tsx';
import { usePartnerNames } from '../../parts/partner-names.ts';
import type { SearchResultRow } from '../../parts/search-page.tsx';
import { createBilingual, useTexts } from '../../texts/texts.ts';

const texts = createBilingual({
  en: {
    destination: 'Destination',
    partner: 'Partner',
    state: 'State',
    since: 'Failing since',
    last: 'Last failure',
    actions: 'Actions',
    enable: 'Switch on',
    enableText: 'What waits goes out again, one at first: a failure switches it off once more.',
    enableNot: 'It is on.',
    enabled: 'The destination is on trial.',
  },
  es: {
    destination: 'Destino',
    partner: 'Tercero',
    state: 'Estado',
    since: 'Falla desde',
    last: 'Último fallo',
    actions: 'Acciones',
    enable: 'Activar',
    enableText: 'Lo pendiente sale otra vez, primero uno: si falla, se desactiva de nuevo.',
    enableNot: 'Está activo.',
    enabled: 'El destino está a prueba.',
  },
});

/** Returns the columns of failing destinations. */
export function useDestinationColumns(): readonly Column<SearchResultRow<'deliveries.destinations'>>[] {
  const t = useTexts(texts);
  const { nameOf } = usePartnerNames();
  return [
    {
      id: 'destination',
      label: t.destination,
      cell: ({ destination, partnerId }) => (
        <Link to="/deliveries" search={{ partnerId }}>
          {destination}
        </Link>
      ),
    },
    { id: 'partner', label: t.partner, cell: ({ partnerId }) => nameOf(partnerId) },
    { id: 'state', label: t.state, cell: ({ state }) => <Badge code={state} /> },
    { id: 'since', label: t.since, cell: ({ failingSince }) => <Instant at={failingSince} /> },
    { id: 'last', label: t.last, cell: ({ lastFailedAt }) => <Instant at={lastFailedAt} /> },
    {
      id: 'actions',
      label: t.actions,
      cell: ({ partnerId, destination, state }) => (
        <Action
          procedure="deliveries.enableDestination"
          label={t.enable}
          text={t.enableText}
          small
          unavailable={state === 'DISABLED' ? undefined : t.enableNot}
          toInput={() => ({ partnerId, url: destination })}
          done={() => t.enabled}
        />
      ),
    },
  ];
}
