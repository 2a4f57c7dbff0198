import { usePartnerNames } from '../../parts/partner-names.ts';
import { SearchPage } from '../../parts/search-page.tsx';
import { useLabels } from '../../texts/labels.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import { useDestinationColumns } from './destination-columns.tsx';
import { Ping } from './ping.tsx';

const texts = createBilingual({
  en: {
    title: 'Destinations',
    about: 'Where webhooks do not arrive as they should: failing, switched off, or on trial after it.',
    partner: 'Partner',
    state: 'State',
    empty: 'Every destination takes what it is sent.',
  },
  es: {
    title: 'Destinos',
    about: 'Donde los webhooks no llegan como deben: con fallos, desactivados o a prueba.',
    partner: 'Tercero',
    state: 'Estado',
    empty: 'Todos los destinos reciben lo que se les envía.',
  },
});

export default function DestinationsPage() {
  const t = useTexts(texts);
  const getLabel = useLabels();
  const { choices } = usePartnerNames();
  return (
    <SearchPage
      title={t.title}
      about={t.about}
      procedure="deliveries.destinations"
      actions={<Ping />}
      filters={[
        { name: 'partnerId', label: t.partner, choices },
        {
          name: 'state',
          label: t.state,
          choices: ['FAILING', 'DISABLED', 'TRIAL'].map((value) => ({ value, label: getLabel(value).text })),
        },
      ]}
      columns={useDestinationColumns()}
      rowId={({ id }) => id}
      whenEmpty={<p>{t.empty}</p>}
    />
  );
}
