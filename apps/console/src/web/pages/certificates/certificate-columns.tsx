import { Link } from '@tanstack/react-router';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Instant } from '../../parts/instant.tsx';
import type { SearchResultRow } from '../../parts/search-page.tsx';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import { getCommonName } from './common-name.ts';

const texts = createBilingual({
  en: {
    subscriber: 'Subscriber',
    serial: 'Serial number',
    status: 'State',
    from: 'Valid from',
    to: 'Valid to',
    profile: 'Profile',
    issuer: 'Issuer',
    request: 'Request',
    open: 'Open',
  },
  es: {
    subscriber: 'Titular',
    serial: 'Número de serie',
    status: 'Estado',
    from: 'Válido desde',
    to: 'Válido hasta',
    profile: 'Perfil',
    issuer: 'Emisor',
    request: 'Solicitud',
    open: 'Abrir',
  },
});

type Row = SearchResultRow<'certificates.search'>;

/** Returns the columns of certificates: subscriber first, then serial number. */
export function useCertificateColumns(): readonly Column<Row>[] {
  const t = useTexts(texts);
  return [
    {
      id: 'subscriber',
      label: t.subscriber,
      cell: ({ id, subject }) => <Link to={`/certificates/${id}`}>{getCommonName(subject)}</Link>,
    },
    {
      id: 'status',
      label: t.status,
      cell: ({ status, revocationReason }) => (
        <Badge code={revocationReason === 'certificateHold' ? 'ON_HOLD' : status} />
      ),
    },
    { id: 'serial', label: t.serial, cell: ({ serialNumber }) => <code>{serialNumber}</code> },
    { id: 'from', label: t.from, cell: ({ notBefore }) => <Instant at={notBefore} dayOnly /> },
    { id: 'to', label: t.to, cell: ({ notAfter }) => <Instant at={notAfter} dayOnly /> },
    { id: 'profile', label: t.profile, hidden: true, cell: ({ profile }) => profile },
    { id: 'issuer', label: t.issuer, hidden: true, cell: ({ issuer }) => getCommonName(issuer) },
    {
      id: 'request',
      label: t.request,
      hidden: true,
      cell: ({ requestId }) => <Link to={`/requests/${requestId}`}>{t.open}</Link>,
    },
  ];
}
