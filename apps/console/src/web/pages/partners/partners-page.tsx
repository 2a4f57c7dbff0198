import { Link } from '@tanstack/react-router';
import { Action } from '../../parts/action.tsx';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Instant } from '../../parts/instant.tsx';
import { NewSecrets } from '../../parts/new-secrets.tsx';
import { SearchPage, type SearchResultRow } from '../../parts/search-page.tsx';
import { useLabels } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { readLogoInput } from './logo-input.ts';
import { PartnerFields } from './partner-fields.tsx';
import { readPartnerSettings } from './partner-settings.ts';
import { partnerTexts } from './partner-texts.ts';

export default function PartnersPage() {
  const t = useTexts(partnerTexts);
  const getLabel = useLabels();
  const columns: readonly Column<SearchResultRow<'partners.list'>>[] = [
    { id: 'name', label: t.name, cell: ({ id, name }) => <Link to={`/partners/${id}`}>{name}</Link> },
    {
      id: 'state',
      label: t.state,
      cell: ({ enabled }) => <Badge code={enabled ? 'ENABLED' : 'DISABLED'} />,
    },
    { id: 'review', label: t.review, cell: ({ reviewPolicy }) => getLabel(reviewPolicy).text },
    {
      id: 'password',
      label: t.password,
      cell: ({ passwordConfiguration }) => getLabel(passwordConfiguration).text,
    },
    { id: 'key', label: t.keyType, cell: ({ keyType }) => keyType },
    { id: 'email', label: t.email, hidden: true, cell: ({ email }) => email },
    { id: 'clientId', label: t.clientId, hidden: true, cell: ({ clientId }) => <code>{clientId}</code> },
    { id: 'created', label: t.created, cell: ({ createdAt }) => <Instant at={createdAt} dayOnly /> },
  ];
  return (
    <SearchPage
      title={t.title}
      procedure="partners.list"
      actions={<NewPartner />}
      filters={[]}
      columns={columns}
      rowId={({ id }) => id}
      whenEmpty={<p>{t.empty}</p>}
    />
  );
}

function NewPartner() {
  const t = useTexts(partnerTexts);
  return (
    <Action
      procedure="partners.create"
      label={t.create}
      text={t.createText}
      tone="primary"
      toInput={async (form) => {
        const { enabled: _enabled, clientSecretEnabled: _secret, ...settings } = readPartnerSettings(form);
        return { ...settings, ...(await readLogoInput(form)) };
      }}
      done={() => t.made}
      onDone={(result) => {
        if (!('clientSecret' in result)) return undefined;
        const { clientId, clientSecret, webhookSecret } = result;
        return <NewSecrets values={{ clientId, clientSecret, webhookSecret }} />;
      }}
    >
      <PartnerFields />
    </Action>
  );
}
