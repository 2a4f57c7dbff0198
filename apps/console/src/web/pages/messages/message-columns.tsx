import { Link } from '@tanstack/react-router';
import { Action } from '../../parts/action.tsx';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Instant } from '../../parts/instant.tsx';
import type { SearchResultRow } from '../../parts/search-page.tsx';
import { useLabelTexts } from '../../texts/labels.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import { useTemplateNames } from './template-texts.ts';

const texts = createBilingual({
  en: {
    what: 'Message',
    channel: 'By',
    to: 'To',
    state: 'State',
    attempts: 'Attempts',
    error: 'Last error',
    created: 'Written',
    sent: 'Sent',
    actions: 'Actions',
    resend: 'Send again',
    resendText:
      'The applicant gets it once more. A link or code in it is a new one where the old one has ended.',
    resent: 'The message goes out again.',
    superseded: 'A later message took its place.',
  },
  es: {
    what: 'Mensaje',
    channel: 'Por',
    to: 'Para',
    state: 'Estado',
    attempts: 'Intentos',
    error: 'Último error',
    created: 'Escrito',
    sent: 'Enviado',
    actions: 'Acciones',
    resend: 'Reenviar',
    resendText: 'El solicitante lo recibe otra vez. Si un enlace o código caducó, lleva uno nuevo.',
    resent: 'El mensaje sale otra vez.',
    superseded: 'Un mensaje posterior ocupó su lugar.',
  },
});

type Row = SearchResultRow<'messages.search'>;

/** Returns the columns of e-mails and SMS, without the link to the request on the page of that request. */
export function useMessageColumns(options: { readonly ofRequest?: boolean } = {}): readonly Column<Row>[] {
  const t = useTexts(texts);
  const getLabelText = useLabelTexts();
  const getTemplateName = useTemplateNames();
  return [
    {
      id: 'what',
      label: t.what,
      cell: ({ template, requestId }) =>
        options.ofRequest === true || requestId === null ? (
          getTemplateName(template)
        ) : (
          <Link to={`/requests/${requestId}`}>{getTemplateName(template)}</Link>
        ),
    },
    { id: 'channel', label: t.channel, cell: ({ channel }) => getLabelText(channel) },
    { id: 'to', label: t.to, cell: ({ to }) => to },
    { id: 'state', label: t.state, cell: ({ state }) => <Badge code={state} /> },
    { id: 'attempts', label: t.attempts, atEnd: true, cell: ({ attempts }) => attempts },
    { id: 'error', label: t.error, hidden: true, cell: ({ lastError }) => lastError ?? '–' },
    { id: 'created', label: t.created, cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { id: 'sent', label: t.sent, cell: ({ sentAt }) => <Instant at={sentAt} /> },
    {
      id: 'actions',
      label: t.actions,
      cell: ({ id, state }) => (
        <Action
          procedure="messages.resend"
          label={t.resend}
          text={t.resendText}
          small
          unavailable={state === 'SUPERSEDED' ? t.superseded : undefined}
          toInput={() => ({ id })}
          done={() => t.resent}
        />
      ),
    },
  ];
}
