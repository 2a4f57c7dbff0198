import { Link } from '@tanstack/react-router';
import { usePermission } from '../../client/session.tsx';
import { families, statuses, validationStatuses } from '../../data/contracts.data.ts';
import type { Address } from '../../parts/address.ts';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import type { Filter } from '../../parts/filters.tsx';
import { Instant } from '../../parts/instant.tsx';
import { usePartnerNames } from '../../parts/partner-names.ts';
import { SearchPage, type SearchResultRow } from '../../parts/search-page.tsx';
import { getStartOfDay } from '../../parts/zoned-day.ts';
import { useLabels } from '../../texts/labels.ts';
import { usePreferences } from '../../texts/preferences.tsx';
import { createBilingual, useTexts } from '../../texts/texts.ts';

const texts = createBilingual({
  en: {
    title: 'Requests',
    reference: 'Reference',
    applicant: 'Applicant',
    email: 'E-mail',
    status: 'State',
    validation: 'Validation',
    family: 'Family',
    partner: 'Partner',
    identification: 'Identification',
    from: 'Registered from',
    to: 'Registered to',
    created: 'Registered',
    updated: 'Changed',
    held: 'What is held of an applicant',
    empty: 'Requests appear here as partners register them.',
  },
  es: {
    title: 'Solicitudes',
    reference: 'Referencia',
    applicant: 'Solicitante',
    email: 'Correo',
    status: 'Estado',
    validation: 'Validación',
    family: 'Familia',
    partner: 'Tercero',
    identification: 'Identificación',
    from: 'Registrada desde',
    to: 'Registrada hasta',
    created: 'Registrada',
    updated: 'Cambiada',
    held: 'Datos de un solicitante',
    empty: 'Las solicitudes aparecen aquí cuando los terceros las registran.',
  },
});

type Row = SearchResultRow<'requests.search'>;

export default function RequestsPage() {
  const t = useTexts(texts);
  const { timeZone } = usePreferences();
  const may = usePermission();
  const filters = useFilters();
  const columns = useColumns();
  const toInput = (address: Address) => {
    const { from, to } = address;
    const filled = filters.flatMap(({ name }) => (address[name] ? [[name, address[name]]] : []));
    const span = { from: getStartOfDay(from, timeZone), to: getStartOfDay(to, timeZone, 1) };
    return { ...Object.fromEntries(filled), ...span };
  };
  return (
    <SearchPage
      title={t.title}
      procedure="requests.search"
      actions={may('requests.holdings') && <Link to="/holdings">{t.held}</Link>}
      filters={filters}
      columns={columns}
      rowId={({ requestId }) => requestId}
      toInput={toInput}
      whenEmpty={<p>{t.empty}</p>}
    />
  );
}

function useFilters(): readonly Filter[] {
  const t = useTexts(texts);
  const getLabel = useLabels();
  const may = usePermission();
  const partners = usePartnerNames();
  const choices = (codes: readonly string[]) =>
    codes.map((code) => ({ value: code, label: getLabel(code).text }));
  const all: readonly (Filter | false)[] = [
    { name: 'name', label: t.applicant },
    // Viewers may not search for a person by number or address.
    may('requests.holdings') && { name: 'identificationNumber', label: t.identification },
    may('requests.holdings') && { name: 'email', label: t.email },
    { name: 'referenceTransaction', label: t.reference },
    { name: 'status', label: t.status, choices: choices(statuses) },
    { name: 'validationStatus', label: t.validation, choices: choices(validationStatuses) },
    { name: 'family', label: t.family, choices: choices(families) },
    { name: 'partnerId', label: t.partner, choices: partners.choices },
    { name: 'from', label: t.from, type: 'date' },
    { name: 'to', label: t.to, type: 'date' },
  ];
  return all.filter((filter) => filter !== false);
}

function useColumns(): readonly Column<Row>[] {
  const t = useTexts(texts);
  const getLabel = useLabels();
  const partners = usePartnerNames();
  return [
    {
      id: 'reference',
      label: t.reference,
      cell: ({ requestId, referenceTransaction }) => (
        <Link to={`/requests/${requestId}`}>{referenceTransaction}</Link>
      ),
    },
    { id: 'name', label: t.applicant, cell: ({ name }) => name ?? '–' },
    { id: 'identification', label: t.identification, cell: (row) => row.identificationNumber },
    { id: 'status', label: t.status, cell: ({ status }) => <Badge code={status} /> },
    {
      id: 'validation',
      label: t.validation,
      hidden: true,
      cell: (row) => <Badge code={row.validationStatus} />,
    },
    { id: 'family', label: t.family, cell: ({ family }) => getLabel(family).text },
    { id: 'partner', label: t.partner, cell: ({ partnerId }) => partners.nameOf(partnerId) },
    { id: 'created', label: t.created, cell: ({ createdDate }) => <Instant at={createdDate} /> },
    {
      id: 'updated',
      label: t.updated,
      hidden: true,
      cell: ({ updatedDate }) => <Instant at={updatedDate} />,
    },
  ];
}
