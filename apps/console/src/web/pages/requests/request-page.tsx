import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createQuery } from '../../client/queries.ts';
import type { OperatorOutput } from '../../client/trpc.ts';
import { Badge } from '../../parts/badge.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { useParam } from '../../parts/param.ts';
import { usePartnerNames } from '../../parts/partner-names.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { useLabels } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { RequestActions } from './request-actions.tsx';
import { RequestRecords } from './request-records.tsx';
import { requestTexts } from './request-texts.ts';
import { StoredData } from './stored-data.tsx';
import { Timeline } from './timeline.tsx';

type Request = OperatorOutput<'requests.get'>;

/** Shows one request with its history and its actions. */
export default function RequestPage() {
  const t = useTexts(requestTexts);
  const requestId = useParam('requestId');
  const query = useQuery(createQuery('requests.get', { requestId }));
  const request = query.data;
  return (
    <Page
      title={request?.referenceTransaction ?? t.request}
      besideTitle={request !== undefined && <Badge code={request.status} />}
      actions={request !== undefined && <RequestActions request={request} />}
    >
      <QueryResult query={query}>
        {(loaded) => (
          <>
            <Outline request={loaded} />
            <Observations request={loaded} />
            <Timeline requestId={requestId} />
            <RequestRecords requestId={requestId} />
            <StoredData request={loaded} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function Outline({ request }: { readonly request: Request }) {
  const t = useTexts(requestTexts);
  const getLabel = useLabels();
  const { nameOf } = usePartnerNames();
  const text = (code: string | null) => code && getLabel(code).text;
  return (
    <Section title={t.outline}>
      <Facts
        rows={[
          [t.validation, <Badge key="v" code={request.validationStatus} />],
          [
            t.partner,
            <Link key="p" to={`/partners/${request.partnerId}`}>
              {nameOf(request.partnerId)}
            </Link>,
          ],
          [t.family, text(request.family)],
          [t.certificateType, text(request.certificateType)],
          [t.applicationType, text(request.applicationType)],
          [t.period, text(request.period)],
          [t.retries, t.retriesOf(request.retryCount, request.retriesRemaining)],
          [t.correctable, request.correctableFields.join(', ')],
          [t.callback, request.callbackUrl],
          [t.created, <Instant key="c" at={request.createdDate} />],
          [t.updated, <Instant key="u" at={request.updatedDate} />],
        ]}
      />
    </Section>
  );
}

function Observations({ request }: { readonly request: Request }) {
  const t = useTexts(requestTexts);
  const getLabel = useLabels();
  if (request.observations.length === 0) return null;
  return (
    <Section title={t.observations}>
      <Facts
        rows={request.observations.map(({ code, message, createdDate }, index) => [
          `${index + 1}. ${getLabel(code).text}`,
          <span key={createdDate}>
            {message} · <Instant at={createdDate} />
          </span>,
        ])}
      />
    </Section>
  );
}
