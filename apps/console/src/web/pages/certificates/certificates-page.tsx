import { usePermission } from '../../client/session.tsx';
import { certificateStatuses, inputFields } from '../../data/inputs.data.ts';
import { type Address, useAddress } from '../../parts/address.ts';
import type { Filter } from '../../parts/filters.tsx';
import { SearchPage } from '../../parts/search-page.tsx';
import { getStartOfDay } from '../../parts/zoned-day.ts';
import { useLabels } from '../../texts/labels.ts';
import { usePreferences } from '../../texts/preferences.tsx';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import { useCertificateColumns } from './certificate-columns.tsx';
import { RevokeFiltered } from './revoke-filtered.tsx';

const texts = createBilingual({
  en: {
    title: 'Certificates',
    name: 'Subscriber',
    identification: 'Identification',
    serial: 'Serial number',
    status: 'State',
    from: 'Ends from',
    to: 'Ends to',
    empty: 'Certificates appear here as requests are issued.',
  },
  es: {
    title: 'Certificados',
    name: 'Titular',
    identification: 'Identificación',
    serial: 'Número de serie',
    status: 'Estado',
    from: 'Termina desde',
    to: 'Termina hasta',
    empty: 'Los certificados aparecen aquí cuando se emiten.',
  },
});

export default function CertificatesPage() {
  const t = useTexts(texts);
  const { timeZone } = usePreferences();
  const filters = useFilters();
  const [current] = useAddress();
  const toInput = (address: Address) => {
    const filled = filters.flatMap(({ name }) => (address[name] ? [[name, address[name]]] : []));
    const from = getStartOfDay(address.notAfterFrom, timeZone);
    const to = getStartOfDay(address.notAfterTo, timeZone, 1);
    return {
      ...Object.fromEntries(filled),
      ...(from && { notAfterFrom: from }),
      ...(to && { notAfterTo: to }),
      // Set by links from the page of a request.
      ...(address.requestId && { requestId: address.requestId }),
    };
  };
  return (
    <SearchPage
      title={t.title}
      procedure="certificates.search"
      filters={filters}
      actions={<RevokeFiltered filters={omitStatus(toInput(current))} />}
      columns={useCertificateColumns()}
      rowId={({ id }) => id}
      toInput={toInput}
      whenEmpty={<p>{t.empty}</p>}
    />
  );
}

/** Removes the status: only valid certificates are revoked, whatever the list shows. */
function omitStatus<Input extends object>({ status: _, ...rest }: Input & { readonly status?: unknown }) {
  return rest;
}

function useFilters(): readonly Filter[] {
  const t = useTexts(texts);
  const getLabel = useLabels();
  const may = usePermission();
  const all: readonly Filter[] = [
    { name: 'name', label: t.name },
    { name: 'identificationNumber', label: t.identification },
    { name: 'serialNumber', label: t.serial },
    {
      name: 'status',
      label: t.status,
      choices: certificateStatuses.map((value) => ({ value, label: getLabel(value).text })),
    },
    { name: 'notAfterFrom', label: t.from, type: 'date' },
    { name: 'notAfterTo', label: t.to, type: 'date' },
  ];
  const offeredFilters = new Set(inputFields['certificates.search']);
  // Viewers may not search for a person by number.
  if (!may('requests.holdings')) offeredFilters.delete('identificationNumber');
  return all.filter(({ name }) => offeredFilters.has(name));
}
