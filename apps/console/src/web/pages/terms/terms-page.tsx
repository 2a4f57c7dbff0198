import { Link } from '@tanstack/react-router';
import type { ProcedureInput } from '../../client/trpc.ts';
import { certificateTypes } from '../../data/inputs.data.ts';
import { Action } from '../../parts/action.tsx';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { ChoiceField, TextArea, TextField } from '../../parts/field.tsx';
import { Instant } from '../../parts/instant.tsx';
import { SearchPage, type SearchResultRow } from '../../parts/search-page.tsx';
import { useDates } from '../../texts/dates.ts';
import { useLabels } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { termsTexts } from './terms-texts.ts';

type TermsType = ProcedureInput<'terms.createVersion'>['type'];

export default function TermsPage() {
  const t = useTexts(termsTexts);
  const getLabel = useLabels();
  const { number } = useDates();
  const columns: readonly Column<SearchResultRow<'terms.list'>>[] = [
    {
      id: 'version',
      label: t.version,
      cell: ({ id, version }) => <Link to={`/terms/${id}`}>{version}</Link>,
    },
    { id: 'type', label: t.type, cell: ({ type }) => getLabel(type).text },
    {
      id: 'state',
      label: t.state,
      cell: ({ active }) => (active ? <Badge code="ACTIVE" /> : t.draft),
    },
    { id: 'created', label: t.created, cell: ({ createdDate }) => <Instant at={createdDate} /> },
    {
      id: 'length',
      label: t.length,
      atEnd: true,
      cell: ({ content }) => t.characters(number(content.length)),
    },
  ];
  return (
    <SearchPage
      title={t.title}
      about={t.about}
      procedure="terms.list"
      actions={<NewVersion />}
      filters={[
        {
          name: 'type',
          label: t.type,
          choices: certificateTypes.map((value) => ({ value, label: getLabel(value).text })),
        },
      ]}
      columns={columns}
      rowId={({ id }) => id}
      whenEmpty={<p>{t.empty}</p>}
    />
  );
}

function NewVersion() {
  const t = useTexts(termsTexts);
  const getLabel = useLabels();
  return (
    <Action
      procedure="terms.createVersion"
      label={t.create}
      text={t.createText}
      tone="primary"
      toInput={(form) => ({
        type: form.get('type') as TermsType,
        version: String(form.get('version')).trim(),
        content: String(form.get('content')),
      })}
      done={() => t.created1}
    >
      <ChoiceField
        label={t.type}
        name="type"
        choices={certificateTypes.map((value) => ({ value, label: getLabel(value).text }))}
      />
      <TextField label={t.version} name="version" required maxLength={60} />
      <TextArea label={t.content} name="content" required rows={12} />
    </Action>
  );
}
