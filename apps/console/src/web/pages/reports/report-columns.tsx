import { Link } from '@tanstack/react-router';
import type { Column } from '../../parts/data-table.tsx';
import type { RowOf } from '../../parts/search-page.tsx';
import { useDates } from '../../texts/dates.ts';
import { useLabels } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { reportTexts } from './report-texts.ts';

type Levels = RowOf<'reports.serviceLevels'>;
type Usage = RowOf<'reports.usage'>;

/** How long things took, by partner: the middle, and what one in twenty took longer than. */
export function useLevelColumns(): readonly Column<Levels>[] {
  const t = useTexts(reportTexts);
  const { number, age } = useDates();
  const span = (seconds: number) =>
    seconds < 60 ? `${number(Math.round(seconds * 10) / 10)} s` : age(seconds * 1_000);
  const spans = (middle: number | null, most: number | null) =>
    middle === null || most === null ? '–' : `${span(middle)} · ${span(most)}`;
  const column = (id: string, label: string, text: (row: Levels) => string, hidden = false) =>
    ({ id, label, atEnd: true, hidden, cell: text }) satisfies Column<Levels>;
  return [
    partnerColumn(t.partner),
    column('registered', t.registered, ({ registered }) => number(registered)),
    column('issued', t.issued, ({ issued }) => number(issued)),
    column('refused', t.refused, ({ refused }) => number(refused), true),
    column('certificate', t.certificate, (row) =>
      spans(row.certificateP50Seconds, row.certificateP95Seconds),
    ),
    column(
      'webhooks',
      t.webhooks,
      ({ webhooks, webhooksDelivered }) => `${number(webhooksDelivered)} / ${number(webhooks)}`,
    ),
    column('first', t.first, ({ webhooksAtFirstAttempt: share }) =>
      share === null ? '–' : `${number(Math.round(share * 1_000) / 10)} %`,
    ),
    column('webhook', t.webhook, (row) => spans(row.webhookP50Seconds, row.webhookP95Seconds)),
    column('review', t.review, (row) => spans(row.reviewP50Seconds, row.reviewP95Seconds)),
  ];
}

/** What became of the requests of a month: of each family how many were registered, and issued. */
export function useUsageColumns(): readonly Column<Usage>[] {
  const t = useTexts(reportTexts);
  const labelOf = useLabels();
  const { number } = useDates();
  const families = ['TV', 'FR', 'FT', 'FS', 'API'] as const;
  const sum = (row: Usage, field: keyof Usage['byFamily']['TV']) =>
    number(families.reduce((total, family) => total + row.byFamily[family][field], 0));
  return [
    partnerColumn(t.partner),
    ...(['registered', 'issued', 'refused', 'cancelled', 'expired'] as const).map((field) => ({
      id: field,
      label: t[field],
      atEnd: true,
      cell: (row: Usage) => sum(row, field),
    })),
    ...families.map((family) => ({
      id: family,
      label: labelOf(family).text,
      atEnd: true,
      cell: ({ byFamily }: Usage) =>
        `${number(byFamily[family].issued)} / ${number(byFamily[family].registered)}`,
    })),
  ];
}

function partnerColumn(label: string): Column<{ readonly partnerId: string; readonly partnerName: string }> {
  return {
    id: 'partner',
    label,
    cell: ({ partnerId, partnerName }) => <Link to={`/partners/${partnerId}`}>{partnerName}</Link>,
  };
}
