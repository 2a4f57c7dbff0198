import { Link } from '@tanstack/react-router';
import { usePartnerChoices, usePartnerName } from '../../client/partners.ts';
import { families, waitingPolicies } from '../../data/contracts.data.ts';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Age } from '../../parts/instant.tsx';
import { SearchPage, type SearchResultRow } from '../../parts/search-page.tsx';
import { useLabels } from '../../texts/labels.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';

const texts = createBilingual({
  en: {
    title: 'Review queue',
    about: 'Requests that wait for a person, oldest first.',
    empty: 'No request waits for a review. New ones appear here by themselves.',
    reference: 'Reference',
    identification: 'Identification',
    waiting: 'Waiting',
    policy: 'Policy',
    reason: 'Why a person',
    family: 'Family',
    partner: 'Partner',
    approvals: 'Approvals',
    assigned: 'Taken by',
    nobody: 'Nobody',
    me: 'Me',
    age: 'Waiting at least',
    hour: '1 hour',
    day: '1 day',
    week: '1 week',
  },
  es: {
    title: 'Cola de revisión',
    about: 'Solicitudes que esperan a una persona, las más antiguas primero.',
    empty: 'Ninguna solicitud espera revisión. Las nuevas aparecen aquí solas.',
    reference: 'Referencia',
    identification: 'Identificación',
    waiting: 'Espera',
    policy: 'Política',
    reason: 'Por qué una persona',
    family: 'Familia',
    partner: 'Tercero',
    approvals: 'Aprobaciones',
    assigned: 'La tiene',
    nobody: 'Nadie',
    me: 'Yo',
    age: 'Espera al menos',
    hour: '1 hora',
    day: '1 día',
    week: '1 semana',
  },
});

type Row = SearchResultRow<'reviews.queue'>;
const queueRefreshMs = 10_000;

export default function QueuePage() {
  const t = useTexts(texts);
  const getLabel = useLabels();
  const partnerName = usePartnerName();
  const partners = usePartnerChoices();
  const choices = (codes: readonly string[]) =>
    codes.map((code) => ({ value: code, label: getLabel(code).text }));
  const columns: readonly Column<Row>[] = [
    {
      id: 'reference',
      label: t.reference,
      cell: ({ requestId, referenceTransaction }) => (
        <Link to={`/review/${requestId}`}>{referenceTransaction}</Link>
      ),
    },
    { id: 'identification', label: t.identification, cell: (row) => row.identificationNumber },
    { id: 'waiting', label: t.waiting, cell: ({ waitingSince }) => <Age since={waitingSince} /> },
    { id: 'policy', label: t.policy, cell: ({ reviewPolicy }) => <Badge code={reviewPolicy} /> },
    { id: 'reason', label: t.reason, hidden: true, cell: ({ reviewReason }) => getLabel(reviewReason).text },
    { id: 'family', label: t.family, cell: ({ family }) => getLabel(family).text },
    { id: 'partner', label: t.partner, cell: ({ partnerId }) => partnerName(partnerId) },
    {
      id: 'approvals',
      label: t.approvals,
      cell: ({ approvals, approvalsNeeded }) => `${approvals} / ${approvalsNeeded}`,
    },
    { id: 'assigned', label: t.assigned, cell: ({ assignedTo }) => assignedTo ?? t.nobody },
  ];
  return (
    <SearchPage
      title={t.title}
      about={t.about}
      procedure="reviews.queue"
      refreshMs={queueRefreshMs}
      filters={[
        {
          name: 'assignedTo',
          label: t.assigned,
          choices: [
            { value: 'me', label: t.me },
            { value: 'nobody', label: t.nobody },
          ],
        },
        { name: 'reviewPolicy', label: t.policy, choices: choices(waitingPolicies) },
        { name: 'family', label: t.family, choices: choices(families) },
        { name: 'partnerId', label: t.partner, choices: partners },
        {
          name: 'minAgeSeconds',
          label: t.age,
          type: 'number',
          choices: [
            { value: '3600', label: t.hour },
            { value: '86400', label: t.day },
            { value: '604800', label: t.week },
          ],
        },
      ]}
      columns={columns}
      rowId={({ requestId }) => requestId}
      whenEmpty={<p>{t.empty}</p>}
    />
  );
}
