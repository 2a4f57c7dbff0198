import { Action } from '../../parts/action.tsx';
import { ChoiceField, TextField } from '../../parts/field.tsx';
import { Facts } from '../../parts/page.tsx';
import { usePartnerNames } from '../../parts/partner-names.ts';
import { Notice } from '../../parts/query-result.tsx';
import { useDates } from '../../texts/dates.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';

const texts = createBilingual({
  en: {
    ping: 'Send a test event',
    text: 'To an address of a partner, signed as its webhooks are. What comes back is shown.',
    partner: 'Partner',
    url: 'Address',
    done: 'The test event was sent.',
    ok: 'It was acknowledged.',
    failed: 'It was not acknowledged.',
    outcome: 'Outcome',
    status: 'Answer',
    error: 'Error',
    took: 'Took',
    event: 'webhook-id',
  },
  es: {
    ping: 'Enviar un evento de prueba',
    text: 'A una dirección de un tercero, firmado como sus webhooks. Se muestra lo que responde.',
    partner: 'Tercero',
    url: 'Dirección',
    done: 'Se envió el evento de prueba.',
    ok: 'Fue confirmado.',
    failed: 'No fue confirmado.',
    outcome: 'Resultado',
    status: 'Respuesta',
    error: 'Error',
    took: 'Duró',
    event: 'webhook-id',
  },
});

/** Pings a receiver of the given partner, or of one chosen in the form. */
export function Ping({
  partnerId,
  small = false,
}: {
  readonly partnerId?: string;
  readonly small?: boolean;
}) {
  const t = useTexts(texts);
  const { number } = useDates();
  const { choices } = usePartnerNames();
  return (
    <Action
      procedure="deliveries.ping"
      label={t.ping}
      small={small}
      text={t.text}
      toInput={(form) => ({
        partnerId: partnerId ?? String(form.get('partnerId')),
        url: String(form.get('url')),
      })}
      done={() => t.done}
      onDone={({ acknowledged, outcome, status, error, durationMs, id }) => (
        <>
          <Notice tone={acknowledged ? 'good' : 'bad'}>{acknowledged ? t.ok : t.failed}</Notice>
          <Facts
            rows={[
              [t.outcome, outcome],
              [t.status, status],
              [t.error, error],
              [t.took, `${number(durationMs)} ms`],
              [t.event, <code key="e">{id}</code>],
            ]}
          />
        </>
      )}
    >
      {partnerId === undefined && (
        <ChoiceField label={t.partner} name="partnerId" choices={choices} required />
      )}
      <TextField label={t.url} name="url" type="url" required placeholder="https://" />
    </Action>
  );
}
