import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { createQuery } from '../../client/queries.ts';
import { usePermission } from '../../client/session.tsx';
import type { OperatorOutput } from '../../client/trpc.ts';
import { Button } from '../../parts/button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Section } from '../../parts/page.tsx';
import { Notice, QueryResult } from '../../parts/query-result.tsx';
import { useLabelTexts } from '../../texts/labels.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import styles from './holdings.module.css';
import { RetentionActions } from './request-actions.tsx';

const texts = createBilingual({
  en: {
    title: 'Data that is held',
    about:
      'What every service holds of the applicant, and until when. Reading it is written to the audit log.',
    show: 'Show what is held',
    what: 'What',
    where: 'Where',
    until: 'Until',
    rule: 'Why',
    always: 'for good',
    delivery: '24 h after delivery, at most 30 days',
    all: 'All requests of this applicant',
    held: (reason: string) => `A legal hold stands: ${reason}`,
  },
  es: {
    title: 'Datos conservados',
    about:
      'Lo que cada servicio conserva del solicitante y hasta cuándo. Leerlo queda en el registro de auditoría.',
    show: 'Mostrar lo conservado',
    what: 'Qué',
    where: 'Dónde',
    until: 'Hasta',
    rule: 'Por qué',
    always: 'para siempre',
    delivery: '24 h después de entregarse, máximo 30 días',
    all: 'Todas las solicitudes de este solicitante',
    held: (reason: string) => `Hay una retención legal: ${reason}`,
  },
});

type Held = OperatorOutput<'requests.holdings'>['requests'][number];

/** Shows the stored data on request only: viewing it is a separate access to personal data. */
export function StoredData({ request }: { readonly request: OperatorOutput<'requests.get'> }) {
  const t = useTexts(texts);
  const [isShown, setShown] = useState(false);
  if (!usePermission()('requests.holdings')) return null;
  return (
    <Section title={t.title}>
      {isShown ? (
        <HeldOfRequest request={request} />
      ) : (
        <>
          <p>{t.about}</p>
          <p>
            <Button onClick={() => setShown(true)}>{t.show}</Button>
          </p>
        </>
      )}
    </Section>
  );
}

function HeldOfRequest({ request }: { readonly request: OperatorOutput<'requests.get'> }) {
  const t = useTexts(texts);
  const { requestId, referenceTransaction, partnerId } = request;
  const found = useQuery(createQuery('requests.search', { referenceTransaction, partnerId, limit: 10 }));
  const identificationNumber = found.data?.items.find(
    (item) => item.requestId === requestId,
  )?.identificationNumber;
  const holdings = useQuery({
    ...createQuery('requests.holdings', { identificationNumber: identificationNumber ?? '' }),
    enabled: identificationNumber !== undefined,
  });
  return (
    <QueryResult query={holdings}>
      {({ requests, identificationNumber: number }) => (
        <>
          {requests
            .filter((held) => held.requestId === requestId)
            .map((held) => (
              <StoredRequestData key={requestId} held={held} />
            ))}
          <Link to="/holdings" search={{ identificationNumber: number }}>
            {t.all}
          </Link>
        </>
      )}
    </QueryResult>
  );
}

/** Shows the stored data of one request, with its actions. */
export function StoredRequestData({ held }: { readonly held: Held }) {
  const t = useTexts(texts);
  const getLabelText = useLabelTexts();
  return (
    <>
      {held.legalHold !== null && <Notice tone="warn">{t.held(held.legalHold.reason)}</Notice>}
      <DataTable
        caption={t.title}
        columns={[
          { id: 'what', label: t.what, cell: ({ kind }) => getLabelText(kind) },
          { id: 'where', label: t.where, cell: ({ service }) => getLabelText(service) },
          {
            id: 'until',
            label: t.until,
            cell: ({ until, rule }) =>
              until === null && rule === 'REGISTER' ? t.always : <Instant at={until} dayOnly />,
          },
          {
            id: 'rule',
            label: t.rule,
            cell: ({ rule }) => (rule === 'DELIVERY' ? t.delivery : getLabelText(rule)),
          },
        ]}
        rows={held.holdings}
        rowId={({ kind, service }) => `${kind} ${service}`}
      />
      <div className={styles.actions}>
        <RetentionActions requestId={held.requestId} isHeld={held.legalHold !== null} />
      </div>
    </>
  );
}
