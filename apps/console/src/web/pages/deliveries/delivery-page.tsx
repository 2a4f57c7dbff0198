import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { queryOf } from '../../client/queries.ts';
import type { OperatorOutput } from '../../client/trpc.ts';
import { Action } from '../../parts/action.tsx';
import { Badge } from '../../parts/badge.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { useParam } from '../../parts/param.ts';
import { usePartnerNames } from '../../parts/partner-names.ts';
import { Empty, Notice, Shown } from '../../parts/states.tsx';
import { useDates } from '../../texts/dates.ts';
import { useWordOf } from '../../texts/labels.ts';
import { bilingual, useTexts } from '../../texts/texts.ts';

const texts = bilingual({
  en: {
    webhook: 'Webhook',
    outline: 'Outline',
    partner: 'Partner',
    to: 'To',
    event: 'webhook-id',
    request: 'Request',
    open: 'Open the request',
    created: 'Happened',
    delivered: 'Delivered',
    next: 'Next attempt',
    attempts: 'Attempts',
    none: 'Not tried yet',
    noneText: 'The first attempt follows within seconds.',
    number: 'No.',
    when: 'When',
    took: 'Took',
    status: 'Answer',
    outcome: 'Outcome',
    error: 'Error',
    purged: 'Its body is past its time and was erased: only the attempts are left.',
    resend: 'Send again',
    resendText: 'The same event, with the same webhook-id, goes out now.',
    resendNot: 'Its body was erased: there is nothing left to send.',
    resent: 'The webhook goes out again.',
  },
  es: {
    webhook: 'Webhook',
    outline: 'Resumen',
    partner: 'Tercero',
    to: 'Destino',
    event: 'webhook-id',
    request: 'Solicitud',
    open: 'Abrir la solicitud',
    created: 'Ocurrió',
    delivered: 'Entregado',
    next: 'Próximo intento',
    attempts: 'Intentos',
    none: 'Sin intentos todavía',
    noneText: 'El primer intento sale en segundos.',
    number: 'N.º',
    when: 'Cuándo',
    took: 'Duró',
    status: 'Respuesta',
    outcome: 'Resultado',
    error: 'Error',
    purged: 'Su contenido cumplió su plazo y se borró: solo quedan los intentos.',
    resend: 'Reenviar',
    resendText: 'El mismo evento, con el mismo webhook-id, sale ahora.',
    resendNot: 'Su contenido se borró: no queda nada que enviar.',
    resent: 'El webhook sale otra vez.',
  },
});

type Delivery = OperatorOutput<'deliveries.get'>;

/** One webhook with every attempt to deliver it. */
export default function DeliveryPage() {
  const t = useTexts(texts);
  const id = useParam('deliveryId');
  const query = useQuery(queryOf('deliveries.get', { id }));
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
      <Shown query={query}>
        {(shown) => (
          <>
            {shown.purgedAt !== null && <Notice>{t.purged}</Notice>}
            <Outline delivery={shown} />
            <Attempts delivery={shown} />
          </>
        )}
      </Shown>
    </Page>
  );
}

function Outline({ delivery }: { readonly delivery: Delivery }) {
  const t = useTexts(texts);
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
  const t = useTexts(texts);
  const { number } = useDates();
  const wordOf = useWordOf();
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
            { id: 'outcome', label: t.outcome, cell: ({ outcome }) => wordOf(outcome) },
            { id: 'error', label: t.error, cell: ({ error }) => error ?? '–' },
          ]}
          rows={delivery.attemptLog}
          rowId={(attempt) => String(attempt.number)}
        />
      )}
    </Section>
  );
}
