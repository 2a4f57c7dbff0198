import { Link } from '@tanstack/react-router';
import { Action } from '../../parts/action.tsx';
import { useAddress } from '../../parts/address.ts';
import { ChoiceField, TextField } from '../../parts/field.tsx';
import { usePartnerNames } from '../../parts/partner-names.ts';
import { SearchPage } from '../../parts/search-page.tsx';
import { getStartOfDay } from '../../parts/zoned-day.ts';
import { useLabels } from '../../texts/labels.ts';
import { usePreferences } from '../../texts/preferences.tsx';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import { useDeliveryColumns } from './delivery-columns.tsx';

const texts = createBilingual({
  en: {
    title: 'Webhooks',
    partner: 'Partner',
    state: 'State',
    request: 'Request (id)',
    empty: 'Webhooks appear here as events happen.',
    destinations: 'Destinations',
    recover: 'Send many again',
    recoverText:
      'All events of one partner within these days, in the order in which they happened; more than this list shows.',
    from: 'Events from',
    to: 'Events to',
    which: 'Which',
    undelivered: 'All that were not delivered',
    recovered: (count: number) => `${count} webhooks are sent again.`,
    recoveredSome: (count: number) =>
      `${count} webhooks are sent again, and there are more: do it once more.`,
  },
  es: {
    title: 'Webhooks',
    partner: 'Tercero',
    state: 'Estado',
    request: 'Solicitud (id)',
    empty: 'Los webhooks aparecen aquí cuando ocurren eventos.',
    destinations: 'Destinos',
    recover: 'Reenviar muchos',
    recoverText:
      'Todos los eventos de un tercero en esos días, en el orden en que ocurrieron; más de los que muestra la lista.',
    from: 'Eventos desde',
    to: 'Eventos hasta',
    which: 'Cuáles',
    undelivered: 'Todos los no entregados',
    recovered: (count: number) => `Se reenvían ${count} webhooks.`,
    recoveredSome: (count: number) => `Se reenvían ${count} webhooks y quedan más: repítalo.`,
  },
});

const deliveriesRefreshMs = 60_000;
const states = ['PENDING', 'DELIVERED', 'EXHAUSTED', 'STOPPED'];

export default function DeliveriesPage() {
  const t = useTexts(texts);
  const getLabel = useLabels();
  const { choices } = usePartnerNames();
  return (
    <SearchPage
      title={t.title}
      procedure="deliveries.search"
      refreshMs={deliveriesRefreshMs}
      actions={
        <>
          <Link to="/destinations">{t.destinations}</Link>
          <Recover />
        </>
      }
      filters={[
        { name: 'partnerId', label: t.partner, choices },
        {
          name: 'state',
          label: t.state,
          choices: states.map((value) => ({ value, label: getLabel(value).text })),
        },
        { name: 'requestId', label: t.request },
      ]}
      columns={useDeliveryColumns()}
      rowId={({ id }) => id}
      whenEmpty={<p>{t.empty}</p>}
    />
  );
}

/** Recovers all deliveries of a partner and period, whatever page is shown; preset with the filters of the list. */
function Recover() {
  const t = useTexts(texts);
  const getLabel = useLabels();
  const { timeZone } = usePreferences();
  const { choices } = usePartnerNames();
  const [{ partnerId, state }] = useAddress();
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(Date.now());
  return (
    <Action
      procedure="deliveries.recover"
      label={t.recover}
      text={t.recoverText}
      toInput={(form) => {
        const given = String(form.get('state'));
        return {
          partnerId: String(form.get('partnerId')),
          from: getStartOfDay(String(form.get('from')), timeZone) ?? '',
          to: getStartOfDay(String(form.get('to')), timeZone, 1) ?? '',
          ...(given !== '' && { state: given as 'EXHAUSTED' }),
        };
      }}
      done={({ count, complete }) => (complete ? t.recovered(count) : t.recoveredSome(count))}
    >
      <ChoiceField label={t.partner} name="partnerId" choices={choices} defaultValue={partnerId} required />
      <TextField label={t.from} name="from" type="date" required defaultValue={today} />
      <TextField label={t.to} name="to" type="date" required defaultValue={today} />
      <ChoiceField
        label={t.which}
        name="state"
        empty={t.undelivered}
        defaultValue={state === 'PENDING' ? '' : (state ?? '')}
        choices={['EXHAUSTED', 'STOPPED', 'DELIVERED'].map((value) => ({
          value,
          label: getLabel(value).text,
        }))}
      />
    </Action>
  );
}
