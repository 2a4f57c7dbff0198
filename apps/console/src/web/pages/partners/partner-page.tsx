import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createQuery } from '../../client/queries.ts';
import { callProcedure, type OperatorOutput } from '../../client/trpc.ts';
import { Action } from '../../parts/action.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { useParam } from '../../parts/param.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { Related } from '../../parts/related.tsx';
import { useLabels } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { useDestinationColumns } from '../deliveries/destination-columns.tsx';
import { Ping } from '../deliveries/ping.tsx';
import { PartnerKeys } from './keys.tsx';
import { PartnerLogo } from './logo.tsx';
import { readLogoInput } from './logo-input.ts';
import { logoTexts } from './logo-texts.ts';
import { PartnerFields } from './partner-fields.tsx';
import { getPreviousSettings, readChangedSettings } from './partner-settings.ts';
import { partnerTexts } from './partner-texts.ts';
import { QuotaUse } from './quota-use.tsx';
import { Secrets } from './secrets.tsx';
import { PartnerTokens } from './tokens.tsx';

type Partner = OperatorOutput<'partners.get'>;

/** Shows one partner: its settings, its credentials, and its destinations. */
export default function PartnerPage() {
  const t = useTexts(partnerTexts);
  const id = useParam('partnerId');
  const query = useQuery(createQuery('partners.get', { id }));
  const partner = query.data;
  return (
    <Page
      title={partner?.name ?? t.partner}
      besideTitle={partner !== undefined && <Badge code={partner.enabled ? 'ENABLED' : 'DISABLED'} />}
      actions={
        <>
          <Link to="/requests" search={{ partnerId: id }}>
            {t.requests}
          </Link>
          <Link to="/usage" search={{ partnerId: id }}>
            {t.usage}
          </Link>
          <Link to="/deliveries" search={{ partnerId: id }}>
            {t.deliveries}
          </Link>
        </>
      }
    >
      <QueryResult query={query}>
        {(loaded) => (
          <>
            <Settings partner={loaded} />
            <QuotaUse partnerId={id} />
            <Secrets partner={loaded} />
            <PartnerKeys partner={loaded} />
            <PartnerTokens partner={loaded} />
            <Destinations partnerId={id} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function Settings({ partner }: { readonly partner: Partner }) {
  const t = useTexts(partnerTexts);
  const getLabel = useLabels();
  const { logo: logoLabel } = useTexts(logoTexts);
  const { id, clientId, email, legacyPkcs12, envelope, keyType, scopes, clientSecretEnabled, createdAt } =
    partner;
  const yesOrNo = (is: boolean) => (is ? t.yes : t.no);
  const formatList = (codes: readonly string[]) => codes.map((code) => getLabel(code).text).join(', ');
  const change = (
    <Action
      procedure="partners.update"
      label={t.change}
      text={t.changeText}
      small
      toInput={async (form) => ({
        id,
        ...readChangedSettings(partner, form),
        ...(await readLogoInput(form)),
      })}
      done={() => t.changed}
      undo={(changes) => {
        const previousValues = getPreviousSettings(partner, changes);
        return previousValues && (() => callProcedure('partners.update', previousValues));
      }}
    >
      <PartnerFields partner={partner} />
    </Action>
  );
  return (
    <Section title={t.settings} actions={change}>
      <Facts
        rows={[
          [t.clientId, <code key="c">{clientId}</code>],
          [t.email, email],
          [logoLabel, <PartnerLogo key="l" partner={partner} />],
          [t.review, getLabel(partner.reviewPolicy).text],
          [t.password, getLabel(partner.passwordConfiguration).text],
          [t.keyType, keyType],
          [t.legacy, yesOrNo(legacyPkcs12)],
          [t.envelope, yesOrNo(envelope)],
          [t.events, formatList(partner.events) || t.noFurtherEvents],
          [t.holderReminders, formatList(partner.holderReminders) || t.noReminders],
          [t.holderRenewal, yesOrNo(partner.holderRenewal)],
          [t.scopes, formatList(scopes)],
          [t.secretEnabled, yesOrNo(clientSecretEnabled)],
          [t.created, <Instant key="s" at={createdAt} />],
        ]}
      />
    </Section>
  );
}

function Destinations({ partnerId }: { readonly partnerId: string }) {
  const t = useTexts(partnerTexts);
  return (
    <Related
      title={t.destinations}
      procedure="deliveries.destinations"
      input={{ partnerId, limit: 20 }}
      columns={useDestinationColumns()}
      rowId={({ id }) => id}
      empty={t.noDestinations}
      actions={<Ping partnerId={partnerId} small />}
    />
  );
}
