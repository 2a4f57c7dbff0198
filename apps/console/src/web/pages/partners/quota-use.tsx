import { useQuery } from '@tanstack/react-query';
import { createQuery } from '../../client/queries.ts';
import type { OperatorOutput } from '../../client/trpc.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Section } from '../../parts/page.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { useLabels } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { partnerTexts } from './partner-texts.ts';
import { quotaTypes } from './quota-form.ts';

type Usage = OperatorOutput<'partners.usage'>;

/** Shows the partner's registrations of this month next to its quota. */
export function QuotaUse({ partnerId }: { readonly partnerId: string }) {
  const t = useTexts(partnerTexts);
  const getLabel = useLabels();
  const query = useQuery(createQuery('partners.usage', { id: partnerId }));
  const formatLimit = ({ quota }: Usage, type: (typeof quotaTypes)[number]) => {
    const limit = quota[type];
    if (limit === null) return t.noQuota;
    return typeof limit === 'number' ? limit : `${limit.limit} (${limit.from} – ${limit.until})`;
  };
  return (
    <Section title={t.quotaUse}>
      <QueryResult query={query}>
        {(usage) => (
          <DataTable
            caption={`${t.quotaUse} ${usage.month}`}
            columns={[
              { id: 'type', label: t.certificateType, cell: ({ type }) => getLabel(type).text },
              { id: 'quota', label: t.quota, cell: ({ type }) => formatLimit(usage, type) },
              { id: 'used', label: t.quotaUsed, cell: ({ type }) => usage.used[type] },
              { id: 'issued', label: t.quotaIssued, cell: ({ type }) => usage.issued[type] },
              { id: 'revoked', label: t.quotaRevoked, cell: ({ type }) => usage.revoked[type] },
            ]}
            rows={quotaTypes.map((type) => ({ type }))}
            rowId={({ type }) => type}
          />
        )}
      </QueryResult>
    </Section>
  );
}
