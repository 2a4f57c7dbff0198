import { Link } from '@tanstack/react-router';
import { Related } from '../../parts/related.tsx';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import { useAuditColumns } from '../audit/audit-columns.tsx';
import { useCertificateColumns } from '../certificates/certificate-columns.tsx';
import { useDeliveryColumns } from '../deliveries/delivery-columns.tsx';
import { useMessageColumns } from '../messages/message-columns.tsx';

const texts = createBilingual({
  en: {
    certificates: 'Certificate',
    noCertificate: 'None was issued yet.',
    deliveries: 'Webhooks',
    noDelivery: 'The partner was told nothing yet, or what it was told is past its time.',
    messages: 'E-mails and SMS',
    noMessage: 'The applicant was sent nothing yet, or what was sent is past its time.',
    audit: 'Audit entries',
    noAudit: 'Nothing was decided about it yet.',
    all: 'Open the list',
  },
  es: {
    certificates: 'Certificado',
    noCertificate: 'Todavía no se emitió ninguno.',
    deliveries: 'Webhooks',
    noDelivery: 'Al tercero todavía no se le avisó nada, o lo avisado ya cumplió su plazo.',
    messages: 'Correos y SMS',
    noMessage: 'Al solicitante todavía no se le envió nada, o lo enviado ya cumplió su plazo.',
    audit: 'Registro de auditoría',
    noAudit: 'Todavía no se decidió nada sobre ella.',
    all: 'Abrir la lista',
  },
});

/** Shows the records of a request in other services. */
export function RequestRecords({ requestId }: { readonly requestId: string }) {
  const t = useTexts(texts);
  const certificates = useCertificateColumns();
  const deliveries = useDeliveryColumns({ ofRequest: true });
  const messages = useMessageColumns({ ofRequest: true });
  const audit = useAuditColumns();
  const rowId = ({ id }: { readonly id: string }) => id;
  const input = { requestId, limit: 10 };
  const renderAllLink = (to: string, search: Record<string, string> = {}) => (
    <Link to={to} search={{ requestId, ...search }}>
      {t.all}
    </Link>
  );
  return (
    <>
      <Related
        title={t.certificates}
        procedure="certificates.search"
        input={input}
        columns={certificates}
        rowId={rowId}
        empty={t.noCertificate}
      />
      <Related
        title={t.deliveries}
        procedure="deliveries.search"
        input={input}
        columns={deliveries}
        rowId={rowId}
        empty={t.noDelivery}
        actions={renderAllLink('/deliveries')}
      />
      <Related
        title={t.messages}
        procedure="messages.search"
        input={input}
        columns={messages}
        rowId={rowId}
        empty={t.noMessage}
        actions={renderAllLink('/messages')}
      />
      <Related
        title={t.audit}
        procedure="audit.list"
        input={{ ...input, service: 'intake' }}
        columns={audit}
        rowId={rowId}
        empty={t.noAudit}
        actions={renderAllLink('/audit', { service: 'intake' })}
      />
    </>
  );
}
