import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createQuery } from '../../client/queries.ts';
import type { OperatorOutput } from '../../client/trpc.ts';
import { Action } from '../../parts/action.tsx';
import { Badge } from '../../parts/badge.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { useParam } from '../../parts/param.ts';
import { usePartnerNames } from '../../parts/partner-names.ts';
import { Empty, Notice, QueryResult } from '../../parts/query-result.tsx';
import { useDates } from '../../texts/dates.ts';
import { useLabelTexts } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { BodyOutline } from './body-outline.tsx';
import styles from './deliveries.module.css';
import { deliveryTexts } from './delivery-texts.ts';

type Delivery = OperatorOutput<'deliveries.get'>;
type Attempt = Delivery['attemptLog'][number];

/** Shows one webhook with every delivery attempt. */
export default function DeliveryPage() {
  const t = useTexts(deliveryTexts);
  const id = useParam('deliveryId');
  const query = useQuery(createQuery('deliveries.get', { id }));
  const delivery = query.data;
  return (
    <Page
      title={delivery?.type ?? t.webhook}
      besideTitle={delivery !== undefined && <Badge code={delivery.state} />}
      actions={
        delivery !== undefined && (
          <Action
            procedure="deliveries.resend"
            label={t.resend}
            text={t.resendText}
            unavailable={delivery.purgedAt === null ? undefined : t.resendNot}
            toInput={() => ({ id })}
            done={() => t.resent}
          />
        )
      }
    >
      <QueryResult query={query}>
        {(loaded) => (
          <>
            {loaded.purgedAt !== null && <Notice>{t.purged}</Notice>}
            <Outline delivery={loaded} />
            <BodyOutline outline={loaded.outline} />
            <Attempts delivery={loaded} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function Outline({ delivery }: { readonly delivery: Delivery }) {
  const t = useTexts(deliveryTexts);
  const { nameOf } = usePartnerNames();
  const { partnerId, requestId, url, eventId, createdAt, deliveredAt, nextAttemptAt } = delivery;
  return (
    <Section title={t.outline}>
      <Facts
        rows={[
          [
            t.partner,
            <Link key="p" to={`/partners/${partnerId}`}>
              {nameOf(partnerId)}
            </Link>,
          ],
          [t.to, url],
          [
            t.request,
            <Link key="r" to={`/requests/${requestId}`}>
              {t.open}
            </Link>,
          ],
          [t.event, <code key="e">{eventId}</code>],
          [t.created, <Instant key="c" at={createdAt} />],
          [t.delivered, deliveredAt && <Instant at={deliveredAt} />],
          [t.next, nextAttemptAt && <Instant at={nextAttemptAt} />],
        ]}
      />
    </Section>
  );
}

function Attempts({ delivery }: { readonly delivery: Delivery }) {
  const t = useTexts(deliveryTexts);
  const { number } = useDates();
  const getLabelText = useLabelTexts();
  const answerColumn: Column<Attempt> = {
    id: 'answer',
    label: t.says,
    cell: ({ answer }) => (answer === null ? '–' : <q className={styles.said}>{answer}</q>),
  };
  return (
    <Section title={t.attempts}>
      {delivery.attemptLog.length === 0 ? (
        <Empty title={t.none}>
          <p>{t.noneText}</p>
        </Empty>
      ) : (
        <DataTable
          caption={t.attempts}
          columns={[
            { id: 'number', label: t.number, cell: (attempt) => attempt.number },
            { id: 'when', label: t.when, cell: ({ startedAt }) => <Instant at={startedAt} /> },
            { id: 'took', label: t.took, atEnd: true, cell: ({ durationMs }) => `${number(durationMs)} ms` },
            { id: 'status', label: t.status, cell: ({ status }) => status ?? '–' },
            { id: 'outcome', label: t.outcome, cell: ({ outcome }) => getLabelText(outcome) },
            { id: 'error', label: t.error, cell: ({ error }) => error ?? '–' },
            ...(delivery.attemptLog.some(({ answer }) => answer !== null) ? [answerColumn] : []),
          ]}
          rows={delivery.attemptLog}
          rowId={(attempt) => String(attempt.number)}
        />
      )}
    </Section>
  );
}
