import { Link } from '@tanstack/react-router';
import { usePermission } from '../../client/session.tsx';
import { auditServices } from '../../data/inputs.data.ts';
import type { Address } from '../../parts/address.ts';
import { SearchPage } from '../../parts/search-page.tsx';
import { getStartOfDay } from '../../parts/zoned-day.ts';
import { usePreferences } from '../../texts/preferences.tsx';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import { useAuditColumns } from './audit-columns.tsx';

const texts = createBilingual({
  en: {
    title: 'Audit',
    about:
      'What each service decided, and who asked for it. Entries are chained and signed: none can be changed unseen.',
    service: 'Log',
    actor: 'Who',
    action: 'What',
    request: 'Request (id)',
    since: 'From',
    until: 'To',
    chains: 'Verify the logs',
    empty: 'Nothing was decided yet.',
    intake: 'Requests',
    generation: 'Certificates',
    terms: 'Terms',
    notifier: 'Webhooks',
  },
  es: {
    title: 'Auditoría',
    about:
      'Lo que decidió cada servicio y quién lo pidió. Las entradas están encadenadas y firmadas: ninguna se cambia sin que se note.',
    service: 'Registro',
    actor: 'Quién',
    action: 'Qué',
    request: 'Solicitud (id)',
    since: 'Desde',
    until: 'Hasta',
    chains: 'Verificar los registros',
    empty: 'Todavía no se decidió nada.',
    intake: 'Solicitudes',
    generation: 'Certificados',
    terms: 'Términos',
    notifier: 'Webhooks',
  },
});

/** Log that is displayed first: each service has its own, and intake has most decisions. */
const shownFirst = 'intake';

export default function AuditPage() {
  const t = useTexts(texts);
  const nameOf = (service: string) => (Object.hasOwn(t, service) ? t[service as 'intake'] : service);
  const may = usePermission();
  const { timeZone } = usePreferences();
  const toInput = ({ service, actor, action, requestId, since, until }: Address) => {
    const from = getStartOfDay(since, timeZone);
    const to = getStartOfDay(until, timeZone, 1);
    return {
      service: (service ?? shownFirst) as typeof shownFirst,
      // The log stores the kind before the address, which operators omit.
      ...(actor && { actor: actor.includes(':') ? actor : `operator:${actor}` }),
      ...(action && { action }),
      ...(requestId && { requestId }),
      ...(from && { since: from }),
      ...(to && { until: to }),
    };
  };
  return (
    <SearchPage
      title={t.title}
      about={t.about}
      procedure="audit.list"
      actions={may('audit.verify') && <Link to="/authorities">{t.chains}</Link>}
      filters={[
        {
          name: 'service',
          label: t.service,
          choices: auditServices
            .filter((value) => value !== shownFirst)
            .map((value) => ({ value, label: nameOf(value) })),
          empty: nameOf(shownFirst),
        },
        { name: 'actor', label: t.actor },
        { name: 'action', label: t.action },
        { name: 'requestId', label: t.request },
        { name: 'since', label: t.since, type: 'date' },
        { name: 'until', label: t.until, type: 'date' },
      ]}
      columns={useAuditColumns()}
      rowId={({ id }) => id}
      toInput={toInput}
      whenEmpty={<p>{t.empty}</p>}
    />
  );
}
