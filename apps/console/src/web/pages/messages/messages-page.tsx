import { SearchPage } from '../../parts/search-page.tsx';
import { useLabels } from '../../texts/labels.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import { useMessageColumns } from './message-columns.tsx';

const texts = createBilingual({
  en: {
    title: 'Messages',
    about: 'E-mails and SMS to applicants and operators. Addresses are masked for everybody.',
    state: 'State',
    request: 'Request (id)',
    empty: 'Messages appear here as applicants are written to.',
  },
  es: {
    title: 'Mensajes',
    about: 'Correos y SMS a solicitantes y operadores. Las direcciones se muestran enmascaradas a todos.',
    state: 'Estado',
    request: 'Solicitud (id)',
    empty: 'Los mensajes aparecen aquí cuando se escribe a los solicitantes.',
  },
});

export default function MessagesPage() {
  const t = useTexts(texts);
  const getLabel = useLabels();
  return (
    <SearchPage
      title={t.title}
      about={t.about}
      procedure="messages.search"
      filters={[
        {
          name: 'state',
          label: t.state,
          choices: ['PENDING', 'SENT', 'FAILED', 'SUPERSEDED'].map((value) => ({
            value,
            label: getLabel(value).text,
          })),
        },
        { name: 'requestId', label: t.request },
      ]}
      columns={useMessageColumns()}
      rowId={({ id }) => id}
      whenEmpty={<p>{t.empty}</p>}
    />
  );
}
