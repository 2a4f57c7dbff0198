import { Link } from '@tanstack/react-router';
import { families, statuses, validationStatuses } from '../../data/contracts.data.ts';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Instant } from '../../parts/instant.tsx';
import { type RowOf, SearchPage } from '../../parts/search-page.tsx';
import { useLabels } from '../../texts/labels.ts';
import { bilingual, useTexts } from '../../texts/texts.ts';

const texts = bilingual({
  en: {
    title: 'Requests',
    reference: 'Reference',
    status: 'State',
    validation: 'Validation',
    family: 'Family',
    identification: 'Identification',
    created: 'Registered',
    updated: 'Changed',
  },
  es: {
    title: 'Solicitudes',
    reference: 'Referencia',
    status: 'Estado',
    validation: 'Validación',
    family: 'Familia',
    identification: 'Identificación',
    created: 'Registrada',
    updated: 'Cambiada',
  },
});

type Row = RowOf<'requests.search'>;

export default function RequestsPage() {
  const t = useTexts(texts);
  const labelOf = useLabels();
  const choices = (codes: readonly string[]) =>
    codes.map((code) => ({ value: code, label: labelOf(code).text }));
  const columns: readonly Column<Row>[] = [
    {
      id: 'reference',
      label: t.reference,
      cell: ({ requestId, referenceTransaction }) => (
        <Link to={`/requests/${requestId}`}>{referenceTransaction}</Link>
      ),
    },
    { id: 'status', label: t.status, cell: ({ status }) => <Badge code={status} /> },
    { id: 'validation', label: t.validation, cell: (row) => <Badge code={row.validationStatus} /> },
    { id: 'family', label: t.family, cell: ({ family }) => labelOf(family).text },
    { id: 'identification', label: t.identification, cell: (row) => row.identificationNumber },
    { id: 'created', label: t.created, cell: ({ createdDate }) => <Instant at={createdDate} /> },
    {
      id: 'updated',
      label: t.updated,
      hidden: true,
      cell: ({ updatedDate }) => <Instant at={updatedDate} />,
    },
  ];
  return (
    <SearchPage
      title={t.title}
      procedure="requests.search"
      filters={[
        { name: 'referenceTransaction', label: t.reference },
        { name: 'status', label: t.status, choices: choices(statuses) },
        { name: 'validationStatus', label: t.validation, choices: choices(validationStatuses) },
        { name: 'family', label: t.family, choices: choices(families) },
      ]}
      columns={columns}
      rowId={({ requestId }) => requestId}
    />
  );
}
