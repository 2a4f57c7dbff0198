import { Link } from '@tanstack/react-router';
import type { Column } from '../../parts/data-table.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Notice } from '../../parts/query-result.tsx';
import { SearchPage, type SearchResultRow } from '../../parts/search-page.tsx';
import { useLabelTexts } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { approvalTexts } from './approval-texts.ts';
import { getRecordName } from './differences.ts';

export default function ApprovalsPage() {
  const t = useTexts(approvalTexts);
  const getLabelText = useLabelTexts();
  const columns: readonly Column<SearchResultRow<'approvals.list'>>[] = [
    {
      id: 'change',
      label: t.change,
      cell: ({ id, change }) => <Link to={`/approvals/${id}`}>{getLabelText(change.procedure)}</Link>,
    },
    { id: 'what', label: t.what, cell: ({ before, after }) => getRecordName(before ?? after) },
    { id: 'by', label: t.by, cell: ({ proposedBy }) => proposedBy },
    { id: 'reason', label: t.reason, cell: ({ reason }) => reason ?? '–' },
    { id: 'created', label: t.created, cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { id: 'expires', label: t.expires, cell: ({ expiresAt }) => <Instant at={expiresAt} /> },
  ];
  return (
    <SearchPage
      title={t.title}
      about={t.about}
      procedure="approvals.list"
      filters={[]}
      columns={columns}
      rowId={({ id }) => id}
      whenEmpty={<p>{t.empty}</p>}
      note={({ unanswered }) =>
        // An empty list proves nothing about a service that did not answer.
        unanswered.length > 0 && (
          <Notice tone="warn">{t.unanswered(unanswered.map(getLabelText).join(', '))}</Notice>
        )
      }
    />
  );
}
