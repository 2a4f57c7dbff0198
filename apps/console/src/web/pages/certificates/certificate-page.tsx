import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createQuery } from '../../client/queries.ts';
import type { OperatorOutput } from '../../client/trpc.ts';
import { Badge } from '../../parts/badge.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Copy } from '../../parts/new-secrets.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { useParam } from '../../parts/param.ts';
import { Notice, QueryResult } from '../../parts/query-result.tsx';
import { Related } from '../../parts/related.tsx';
import { useActorNames } from '../../texts/actors.ts';
import { useLabels, useLabelTexts } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { useAuditColumns } from '../audit/audit-columns.tsx';
import { CertificateActions } from './certificate-actions.tsx';
import { certificateTexts } from './certificate-texts.ts';
import styles from './certificates.module.css';
import { getCommonName } from './common-name.ts';

type Certificate = OperatorOutput<'certificates.get'>;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Shows one certificate, by its id or serial number. */
export default function CertificatePage() {
  const t = useTexts(certificateTexts);
  const name = useParam('certificateId');
  const query = useQuery(
    createQuery('certificates.get', uuid.test(name) ? { id: name } : { serialNumber: name }),
  );
  const certificate = query.data;
  return (
    <Page
      title={certificate === undefined ? t.certificate : getCommonName(certificate.subject)}
      besideTitle={certificate !== undefined && <State certificate={certificate} />}
      actions={certificate !== undefined && <CertificateActions certificate={certificate} />}
    >
      <QueryResult query={query}>
        {(loaded) => (
          <>
            <Outline certificate={loaded} />
            <Chain certificate={loaded} />
            <History certificate={loaded} />
            <AuditEntries requestId={loaded.requestId} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function State({ certificate }: { readonly certificate: Certificate }) {
  const isOnHold = certificate.revocationReason === 'certificateHold';
  return <Badge code={isOnHold ? 'ON_HOLD' : certificate.status} />;
}

function Outline({ certificate }: { readonly certificate: Certificate }) {
  const t = useTexts(certificateTexts);
  const getLabelText = useLabelTexts();
  const getLabel = useLabels();
  const { revokedAt, revocationReason, cappedBy, requestedNotAfter } = certificate;
  const revoked = revokedAt !== null && (
    <>
      <Instant at={revokedAt} /> · {getLabelText(revocationReason ?? 'unspecified')}
    </>
  );
  const capped = cappedBy !== null && (
    <>
      {getLabel(cappedBy).text} · {t.asked} <Instant at={requestedNotAfter} dayOnly />
    </>
  );
  return (
    <Section title={t.outline}>
      <Facts
        rows={[
          [t.subject, certificate.subject],
          [t.serial, <code key="s">{certificate.serialNumber}</code>],
          [t.from, <Instant key="f" at={certificate.notBefore} />],
          [t.to, <Instant key="t" at={certificate.notAfter} />],
          [t.capped, capped || undefined],
          [t.revoked, revoked || undefined],
          [t.profile, certificate.profile.split('/').map(getLabelText).join(' · ')],
          [t.key, certificate.keyAlgorithm.replace('_', '-')],
          [
            t.request,
            <Link key="r" to={`/requests/${certificate.requestId}`}>
              {t.openRequest}
            </Link>,
          ],
        ]}
      />
    </Section>
  );
}

/** Shows the chain up to the authority, and where its status is published. */
function Chain({ certificate }: { readonly certificate: Certificate }) {
  const t = useTexts(certificateTexts);
  const { subject, issuer, crlUri, pem } = certificate;
  return (
    <Section title={t.chain} actions={pem !== null && <Copy name={t.pem} text={pem} />}>
      <ol className={styles.chain}>
        <li>{issuer}</li>
        <li>{subject}</li>
      </ol>
      <Facts
        rows={[
          [
            t.crl,
            <a key="c" href={crlUri}>
              {crlUri}
            </a>,
          ],
        ]}
      />
      {pem === null ? (
        <Notice>{t.pemNot}</Notice>
      ) : (
        <details>
          <summary>{t.pem}</summary>
          <pre className={styles.pem}>{pem}</pre>
        </details>
      )}
    </Section>
  );
}

function History({ certificate }: { readonly certificate: Certificate }) {
  const t = useTexts(certificateTexts);
  const getLabelText = useLabelTexts();
  const formatActor = useActorNames();
  return (
    <Section title={t.history}>
      <DataTable
        caption={t.history}
        columns={[
          { id: 'at', label: t.when, cell: ({ at }) => <Instant at={at} /> },
          { id: 'what', label: t.what, cell: ({ action }) => <code>{action}</code> },
          { id: 'who', label: t.who, cell: ({ actor }) => formatActor(actor) },
          {
            id: 'code',
            label: t.revocationReason,
            cell: ({ revocationReason }) =>
              revocationReason === null ? '–' : getLabelText(revocationReason),
          },
          { id: 'why', label: t.why, cell: ({ reason }) => reason ?? '–' },
        ]}
        rows={certificate.history}
        rowId={({ at, action }) => `${at} ${action}`}
      />
    </Section>
  );
}

function AuditEntries({ requestId }: { readonly requestId: string }) {
  const t = useTexts(certificateTexts);
  return (
    <Related
      title={t.audit}
      procedure="audit.list"
      input={{ service: 'generation', requestId, limit: 10 }}
      columns={useAuditColumns()}
      rowId={({ id }) => id}
      empty={t.noAudit}
    />
  );
}
