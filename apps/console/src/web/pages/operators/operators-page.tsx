import { Link } from '@tanstack/react-router';
import { roles } from '../../data/inputs.data.ts';
import type { Address } from '../../parts/address.ts';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Instant } from '../../parts/instant.tsx';
import { SearchPage, type SearchResultRow } from '../../parts/search-page.tsx';
import { useLabels } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { Invite } from './invite.tsx';
import { operatorTexts } from './operator-texts.ts';

export default function OperatorsPage() {
  const t = useTexts(operatorTexts);
  const getLabel = useLabels();
  const columns: readonly Column<SearchResultRow<'operators.list'>>[] = [
    {
      id: 'email',
      label: t.email,
      cell: ({ operatorId, email }) => <Link to={`/operators/${operatorId}`}>{email}</Link>,
    },
    { id: 'role', label: t.role, cell: ({ role }) => getLabel(role).text },
    {
      id: 'state',
      label: t.state,
      cell: ({ enabled }) => <Badge code={enabled ? 'ENABLED' : 'DISABLED'} />,
    },
    { id: 'created', label: t.created, cell: ({ createdAt }) => <Instant at={createdAt} dayOnly /> },
  ];
  return (
    <SearchPage
      title={t.title}
      about={t.about}
      procedure="operators.list"
      actions={<Invite />}
      filters={[
        {
          name: 'role',
          label: t.role,
          choices: roles.map((value) => ({ value, label: getLabel(value).text })),
        },
        {
          name: 'enabled',
          label: t.state,
          choices: [
            { value: 'true', label: getLabel('ENABLED').text },
            { value: 'false', label: getLabel('DISABLED').text },
          ],
        },
      ]}
      columns={columns}
      rowId={({ operatorId }) => operatorId}
      toInput={({ role, enabled }: Address) => ({
        ...(role && { role: role as 'viewer' }),
        ...(enabled && { enabled: enabled === 'true' }),
      })}
    />
  );
}
